import type { ContainerSubject, ProcessSubject } from '../../domain/subject.ts'
import { wrongWithText } from '../../domain/text.ts'
import {
  type EntityKind,
  gpuResources,
  type Measure,
  type SeriesMeaning,
  type SubjectSetting,
} from '../../domain/usage-series.ts'
import { hashText } from '../remote-write/label-hash.ts'

/** The labels of a series, and the cluster that it belongs to. */
export class SeriesLabels {
  readonly name: string
  readonly cluster: string
  readonly #labels: Map<string, string>

  constructor(labels: Iterable<readonly [string, string]>, defaultCluster: string) {
    this.#labels = new Map()
    for (const [name, value] of labels) this.#labels.set(name, wellFormed(value))
    this.name = this.get('__name__')
    this.cluster = this.first('cluster', 'cluster_name') || defaultCluster
  }

  /** Returns '' if there is no such label, as Prometheus does. */
  get(label: string): string {
    return this.#labels.get(label) ?? ''
  }

  /** Returns the first of these labels that is not empty. */
  first(...labels: readonly string[]): string {
    for (const label of labels) {
      const value = this.get(label)
      if (value !== '') return value
    }
    return ''
  }

  /** The exporter's value rather than the scraper's, which renames the exporter's label to exported_... if both have it. */
  exporterLabel(...labels: readonly string[]): string {
    return this.first(...labels.map((label) => `exported_${label}`), ...labels)
  }

  entries(): Iterable<[string, string]> {
    return this.#labels
  }

  /**
   * Identifies which instance of a subject the series belongs to (by all labels except the name and those of the scraper),
   * and who scraped it. Labels that only distinguish parts of one measure are left out.
   */
  origin(...partLabels: readonly string[]): { instance: number; source: number; rank: number } {
    const parts = [...this.#labels]
      .filter(([name, value]) => name !== '__name__' && value !== '' && !partLabels.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const hash = (pairs: [string, string][]) =>
      pairs.reduce((before, [name, value]) => hashText(`${name}\0${value}\0`, before), 0x811c9dc5)
    return {
      instance: hash(parts.filter(([name]) => !sourceLabels.has(name))),
      source: hash(parts.filter(([name]) => sourceLabels.has(name))),
      rank: this.get('metrics_path').endsWith('/cadvisor') ? 2 : this.get('metrics_path') === '' ? 1 : 0,
    }
  }
}

/**
 * Removes NUL and replaces lone surrogates, which have no UTF-8 form, because parts of keys must not contain them. Replaces
 * other control characters too: requests must not contain them, so nothing with such a name could be requested.
 */
const wellFormed = (value: string): string =>
  wrongWithText(value) === undefined
    ? value
    : value
        .replaceAll('\0', '')
        .toWellFormed()
        .replace(/\p{Cc}/gu, '\ufffd')

/** Labels that identify the scraper, and which of a redundant pair it is. The address is left out, because targets move. */
const sourceLabels = new Set(
  'job metrics_path endpoint prometheus prometheus_replica __replica__ replica'.split(' '),
)

/** The meaning of a metric's series; undefined if the metric is not used. */
export type MetricRule = (series: SeriesLabels) => SeriesMeaning | undefined

export const cpuModes = new Map<string, Measure>([
  ['user', 'cpuUser'],
  ['system', 'cpuSystem'],
])

/** Proportional memory counts shared pages once; resident memory is next best. */
export const memoryRanks = new Map([
  ['', 0],
  ['resident', 1],
  ['proportionalResident', 2],
])

export function containerRule(measure: Measure): MetricRule {
  return (series) => {
    const subject = containerSubject(series)
    if (subject === undefined || !totalCpu.has(series.get('cpu'))) return undefined
    return { fact: 'measure', measure, subject, ...series.origin() }
  }
}

/** Old versions of cAdvisor also report each core; only the sum is used. */
const totalCpu = new Set(['', 'total'])

export function containerSettingRule(setting: SubjectSetting): MetricRule {
  return (series) => {
    const subject = containerSubject(series)
    return subject && { fact: 'setting', setting, subject, init: false }
  }
}

/** What the values of a metric's label `resource` are. */
type ResourceSettings = ReadonlyMap<string, SubjectSetting>

export const requestSettings: ResourceSettings = new Map<string, SubjectSetting>([
  ['cpu', 'cpuRequest'],
  ['memory', 'memoryRequest'],
  ...gpuResources.map((resource) => [resource, 'gpuRequest'] as const),
])

export const limitSettings: ResourceSettings = new Map<string, SubjectSetting>([
  ['cpu', 'cpuLimit'],
  ['memory', 'memoryLimit'],
])

export function resourceRule(settings: ResourceSettings, init: boolean): MetricRule {
  return (series) => {
    const subject = containerSubject(series)
    const setting = settings.get(series.get('resource'))
    return subject && setting && { fact: 'setting', setting, subject, init }
  }
}

export function containerTextRule(
  name: 'terminatedReason' | 'image',
  read: (series: SeriesLabels) => string,
): MetricRule {
  return (series) => {
    const subject = containerSubject(series)
    return subject && { fact: 'text', subject, name, text: read(series) }
  }
}

/** Without tag and digest, which change with each release. */
export const imageOf = (series: SeriesLabels): string =>
  (series.get('image_spec') || series.get('image')).replace(/@.*$/, '').replace(/:[^/]*$/, '')

/** A series without a container is the sum of a pod or of a node's cgroup; the container POD is the pod's sandbox. */
function containerSubject(series: SeriesLabels): ContainerSubject | undefined {
  const container = series.exporterLabel('container', 'container_name')
  const pod = series.exporterLabel('pod', 'pod_name')
  const namespace = series.exporterLabel('namespace')
  if (container === '' || container === 'POD' || pod === '' || namespace === '') return undefined
  return { kind: 'container', cluster: series.cluster, namespace, pod, container }
}

export function podRule(
  read: (series: SeriesLabels) => Partial<Record<'node' | 'workload', string>>,
): MetricRule {
  return (series) => {
    const name = series.exporterLabel('pod', 'pod_name')
    const namespace = series.exporterLabel('namespace')
    const texts = known(read(series))
    if (name === '' || namespace === '' || texts === undefined) return undefined
    return { fact: 'pod', cluster: series.cluster, namespace, pod: name, texts }
  }
}

export function podEndRule(series: SeriesLabels): SeriesMeaning | undefined {
  const pod = series.exporterLabel('pod')
  const namespace = series.exporterLabel('namespace')
  if (namespace === '' || pod === '') return undefined
  return { fact: 'pod', cluster: series.cluster, namespace, pod, texts: {}, isEnd: true }
}

export function entityRule(
  kind: EntityKind,
  label: string | readonly string[],
  read: (series: SeriesLabels) => { texts?: Record<string, string>; number?: string },
): MetricRule {
  return (series) => {
    const name = series.exporterLabel(...[label].flat())
    const { texts, number } = read(series)
    const given = texts && known(texts)
    if (name === '' || (given === undefined && number === undefined)) return undefined
    const namespace = kindsOutside.has(kind) ? '' : series.exporterLabel('namespace')
    const cluster = kind === 'machine' ? '' : series.cluster
    return {
      fact: 'entity',
      entity: { kind, cluster, namespace, name },
      ...(given && { texts: given }),
      ...(number !== undefined && { number }),
    }
  }
}

/** Kinds that belong to no namespace; the label is then that of the exporter. */
const kindsOutside: ReadonlySet<EntityKind> = new Set(['node', 'machine', 'volume'])

export const claimRule = (
  read: (series: SeriesLabels) => { texts?: Record<string, string>; number?: string },
): MetricRule => entityRule('claim', 'persistentvolumeclaim', read)

export const volumeRule = (
  read: (series: SeriesLabels) => { texts?: Record<string, string>; number?: string },
): MetricRule => entityRule('volume', 'persistentvolume', read)

export function autoscalerRule(
  read: (series: SeriesLabels) => { texts?: Record<string, string>; number?: string },
): MetricRule {
  return entityRule('autoscaler', ['horizontalpodautoscaler', 'hpa'], read)
}

export function processRule(measureOf: (series: SeriesLabels) => Measure | undefined): MetricRule {
  return (series) => {
    const subject = processSubject(series)
    const measure = measureOf(series)
    if (subject === undefined || measure === undefined) return undefined
    const { instance, source } = series.origin('mode', 'memtype')
    const rank = memoryRanks.get(series.get('memtype')) ?? 0
    return { fact: 'measure', measure, subject, instance, source, rank }
  }
}

/** Returns '' if there is no owner, as for a pod that was created directly. */
export function ownerOf(series: SeriesLabels): string {
  const [kind, name] = [series.get('owner_kind'), series.get('owner_name')]
  return kind === '' || kind === '<none>' || name === '' || name === '<none>' ? '' : `${kind}/${name}`
}

function known<Name extends string>(texts: Partial<Record<Name, string>>): Record<Name, string> | undefined {
  const given = Object.entries(texts).filter(([, text]) => text !== '' && text !== undefined)
  return given.length === 0 ? undefined : (Object.fromEntries(given) as Record<Name, string>)
}

/** The agent sets all four. Process exporters set a group of processes; their machine is the scraped address. */
function processSubject(series: SeriesLabels): ProcessSubject | undefined {
  const process = series.first('process', 'groupname')
  const vm = series.first('vm', 'nodename', 'hostname', 'node') || host(series.get('instance'))
  if (process === '' || vm === '') return undefined
  const group = series.get('group')
  return {
    kind: 'process',
    vm,
    group: groups.has(group) ? group : 'unknown',
    process,
    cgroup: series.get('cgroup'),
  }
}

const groups = new Set(['kubernetes', 'docker', 'user', 'system'])

/** Removes the port from addresses such as "web-1:9256" and "[::1]:9256". */
const host = (address: string): string => address.replace(/:\d+$/, '')
