import { plural } from '../domain/text.ts'
import { type Clock, hourMs, timeOfHour } from '../domain/time.ts'
import { type Entity, isSilentSince, readEntities } from './digest/entities.ts'
import type { UsageStore } from './port.ts'
import { clusterMetrics, machineMetrics, missingOf } from './source-metrics.ts'
import type { UsageSource } from './source-schema.ts'

type SourceMetric = UsageSource['metrics'][number]
type SourceProblem = UsageSource['problems'][number]['code']

interface SourcesDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'entities'> }
  readonly now: Clock
}

/** Lists clusters, then machines, each by name, as soon as one of their samples is there. */
export async function listSources({ store, now }: SourcesDeps, organisation: string): Promise<UsageSource[]> {
  const entities = await readEntities(store.usage, organisation, { kinds: ['node', 'machine', 'source'] })
  const found = { cluster: new Map<string, Found>(), machine: new Map<string, Found>() }
  for (const entity of entities.values()) {
    const { kind: of, cluster, name: own } = entity.ref
    const kind = of === 'machine' || cluster === '' ? 'machine' : 'cluster'
    const name = kind === 'machine' ? own : cluster
    const source = found[kind].getOrInsertComputed(name, () => ({
      firstHour: Number.POSITIVE_INFINITY,
      lastHour: 0,
    }))
    source.firstHour = Math.min(source.firstHour, entity.firstHour)
    source.lastHour = Math.max(source.lastHour, entity.lastHour)
    if (of === 'source') source.health = entity
  }
  return (['cluster', 'machine'] as const).flatMap((kind) =>
    [...found[kind]]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, source]) => viewSource(kind, name, source, now())),
  )
}

interface Found {
  firstHour: number
  lastHour: number
  health?: Entity
}

function viewSource(kind: UsageSource['kind'], name: string, source: Found, nowMs: number): UsageSource {
  const { firstHour, lastHour, health } = source
  const metrics = health === undefined ? [] : metricsOf(health)
  const last = metrics.map((metric) => metric.last_sample).sort()
  const usage = (kind === 'cluster' ? clusterMetrics : machineMetrics)[0]!.metrics
  const interval = metrics.find((metric) => usage.includes(metric.name))?.interval_seconds ?? null
  const isSilent = isSilentSince(lastHour, nowMs)
  const isThere = (metric: string) => metrics.some((one) => one.name === metric)
  const missing =
    health === undefined ? [] : missingOf(kind === 'cluster' ? clusterMetrics : machineMetrics, isThere)
  return {
    kind,
    name,
    last_seen: new Date(lastHour * hourMs).toISOString(),
    is_silent: isSilent,
    first_sample: timeOfHour(firstHour),
    last_sample: last.at(-1) ?? null,
    interval_seconds: interval,
    metrics,
    missing: missing.map(({ metrics, unlocks, isOptional: is_optional = false }) => ({
      ...{ metrics, unlocks, is_optional },
    })),
    problems:
      health === undefined
        ? []
        : [
            ...missing
              .filter(({ isEssential }) => isEssential)
              .map(({ metrics: [metric], unlocks }) => ({
                code: 'essential-metric-missing' as const,
                message: `No ${metric}, which is needed for ${unlocks}.`,
              })),
            ...arrivalProblems(name, health, interval),
            ...stoppedProblems(metrics, lastHour),
            ...lateProblems(last.at(-1), isSilent, nowMs, interval),
          ],
  }
}

const prefix = 'metric/'

function metricsOf({ attributes }: Entity): SourceMetric[] {
  return [...attributes]
    .filter(([attribute]) => attribute.startsWith(prefix))
    .map(([attribute, { at, value }]) => ({
      name: attribute.slice(prefix.length),
      last_sample: new Date(at * 1000).toISOString(),
      interval_seconds: Number(value) > 0 ? Number(value) : null,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The name of a cluster whose samples have none, unless the sender gives one with its requests. */
const nameOfUnlabelled = 'default'
const dayHours = 24
const longIntervalSeconds = 120
const lateMinutes = 30

function arrivalProblems(
  name: string,
  { attributes, lastHour }: Entity,
  interval: number | null,
): UsageSource['problems'] {
  const recently = (attribute: string): number => {
    const { at, value } = attributes.get(attribute) ?? { at: 0, value: 0 }
    return at * 1000 >= (lastHour - dayHours) * hourMs ? Number(value) : 0
  }
  const problems: { code: SourceProblem; message: string }[] = []
  const add = (code: SourceProblem, message: string) => problems.push({ code, message })
  if (name === nameOfUnlabelled && recently('unlabelled') > 0)
    add(
      'no-cluster-label',
      'Samples without a cluster label are added up under this name, whichever cluster they are from: set external_labels: {cluster: NAME} in Prometheus, or send to /api/v1/write?cluster=NAME.',
    )
  const ahead = recently('ahead')
  if (ahead > 0)
    add('clock-ahead', `Samples are up to ${plural(ahead, 'second')} in the future: the clock is ahead.`)
  const duplicates = recently('duplicates')
  if (duplicates > 0)
    add(
      'duplicate-senders',
      `At least ${duplicates}% of the samples of an hour were sent twice, by several Prometheus or jobs; each counts once.`,
    )
  if (interval !== null && interval > longIntervalSeconds)
    add(
      'long-interval',
      `Usage is measured every ${interval % 60 === 0 ? plural(interval / 60, 'minute') : plural(interval, 'second')}; shorter peaks cannot be seen.`,
    )
  return problems
}

function lateProblems(
  last: string | undefined,
  isSilent: boolean,
  nowMs: number,
  interval: number | null,
): UsageSource['problems'] {
  // How often it sends is not known from its first samples.
  if (interval === null) return []
  const minutes = last === undefined ? 0 : Math.floor((nowMs - Date.parse(last)) / 60_000)
  if (isSilent || minutes < lateMinutes + (3 * interval) / 60) return []
  const message = `The last sample is ${minutes} minutes old: samples are late or have stopped, or the clock is behind.`
  return [{ code: 'late-samples', message }]
}

function stoppedProblems(metrics: readonly SourceMetric[], lastHour: number): UsageSource['problems'] {
  const stopped = metrics.filter(
    ({ name, last_sample }) =>
      // The reason of the last termination is there only while a container has one.
      [...clusterMetrics, ...machineMetrics].some(({ metrics: [metric] }) => metric === name) &&
      !name.endsWith('_reason') &&
      Date.parse(last_sample) < (lastHour - 2) * hourMs,
  )
  return stopped.map(({ name, last_sample }) => ({
    code: 'metric-stopped',
    message: `${name} stopped at ${last_sample.slice(0, 16).replace('T', ' ')} UTC, although other metrics arrive.`,
  }))
}
