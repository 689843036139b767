import { round } from '../../domain/money.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { subjectOfKey } from '../../domain/subject.ts'
import { timeOfHour } from '../../domain/time.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { decodeDigests } from '../../usage/digest/codec.ts'
import {
  type Digest,
  gibBytes,
  microcores,
  type NumberRegister,
  oomKills,
} from '../../usage/digest/digest.ts'
import { Distribution } from '../../usage/distribution/distribution.ts'
import type { StoredSubject } from '../../usage/port.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import { combineHours, type HourRange } from '../../usage/reading/pod-usage.ts'
import { parseWindow, type StepWindow, type WindowRequest } from './query.ts'
import type { CostsDeps } from './report-costs.ts'
import type { UsageReport } from './schema.ts'

export function parseUsageRequest(
  kind: UsageKind,
  id: string,
  request: WindowRequest,
  now: number,
): UsageRequest {
  const errors: FieldError[] = []
  const window = parseWindow(request, now, errors)
  const parsed = parseUsageId(kind, id, errors)
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  return { ...window, kind, id, of: parsed! }
}

export interface UsageRequest extends StepWindow {
  readonly kind: UsageKind
  readonly id: string
  readonly of: UsageId
}

/**
 * Reports the usage of a container of a workload, or of a process of a machine, in each step; all replicas together.
 */
export async function reportUsage(
  deps: Pick<CostsDeps, 'store'>,
  organisation: string,
  { kind, id, of, hours, steps }: UsageRequest,
  signal?: AbortSignal,
): Promise<UsageReport> {
  const reader = new PodReader()
  const yielder = new Yielder(signal)
  const steppedUsage = new Map<number, UsageStep>()
  const stored = deps.store.usage.digests(organisation, {
    ...(of.kind === 'container'
      ? { kind: of.kind, cluster: of.cluster, namespace: of.namespace }
      : { kind: of.kind, vm: of.vm }),
    fromHour: hours.from,
    toHour: hours.to,
  })
  for await (const found of stored) {
    const { key, rows } = found
    if (isMeant(found))
      for (const digest of combineHours(
        rows.flatMap(({ source, bytes }) => decodeDigests(bytes).map((one) => ({ source, digest: one }))),
      )) {
        if (digest.hour < hours.from || digest.hour >= hours.to) continue
        const index = steps.indexOf(digest.hour)
        steppedUsage.getOrInsertComputed(index, () => new UsageStep()).add(key, digest)
      }
    if (yielder.isDue) await yielder.pause()
  }
  if (steppedUsage.size === 0)
    throw new Problem('not-found', `No ${kind} ${JSON.stringify(id)} was seen in this period.`)
  return {
    kind,
    id,
    steps: [...steppedUsage]
      .sort(([a], [b]) => a - b)
      .map(([index, step]) => step.view(steps.rangeAt(index))),
  }

  function isMeant(found: StoredSubject): boolean {
    const subject = subjectOfKey(found.key)
    if (of.kind === 'process')
      return subject.kind === 'process' && subject.group === of.group && subject.process === of.process
    if (subject.kind !== 'container' || subject.container !== of.container) return false
    return reader.readOwner(subject, found, hours)?.workload === of.workload
  }
}

export const usageKinds = ['container', 'process'] as const
export type UsageKind = (typeof usageKinds)[number]

type UsageId =
  | {
      readonly kind: 'container'
      readonly cluster: string
      readonly namespace: string
      /** "Kind/name". */
      readonly workload: string
      readonly container: string
    }
  | { readonly kind: 'process'; readonly vm: string; readonly group: string; readonly process: string }

/** Kubernetes names contain no slash, but the name of a cluster or a process may. */
const containerId = /^(.+)\/([^/]+)\/([^/]+\/[^/]+)\/([^/]+)$/
const processId = /^([^/]+)\/([^/]+)\/(.+)$/

/** Parses ids such as prod/shop/Deployment/web/app or db-1/system/postgres. */
function parseUsageId(kind: UsageKind, id: string, errors: FieldError[]): UsageId | undefined {
  if (kind === 'container') {
    const [, cluster, namespace, workload, container] = containerId.exec(id) ?? []
    if (container !== undefined)
      return { kind, cluster: cluster!, namespace: namespace!, workload: workload!, container }
    errors.push({ pointer: '/id', message: 'must be cluster/namespace/Kind/workload/container' })
    return undefined
  }
  const [, vm, group, process] = processId.exec(id) ?? []
  if (process !== undefined) return { kind, vm: vm!, group: group!, process }
  errors.push({ pointer: '/id', message: 'must be vm/group/process' })
  return undefined
}

const sizeNames = [
  'cpuRequestMicrocores',
  'cpuLimitMicrocores',
  'memoryRequestBytes',
  'memoryLimitBytes',
] as const

class UsageStep {
  readonly #cpu = new Distribution()
  readonly #memory = new Distribution()
  readonly #subjects = new Set<string>()
  readonly #sizes = new Map<(typeof sizeNames)[number], NumberRegister>()
  #oomKills = 0
  #restarts = 0

  add(key: string, digest: Digest): void {
    this.#cpu.merge(digest.cpu)
    this.#memory.merge(digest.memory)
    this.#subjects.add(key)
    this.#oomKills += oomKills(digest)
    this.#restarts += digest.restarts
    for (const name of sizeNames) {
      const [known, reported] = [this.#sizes.get(name), digest[name]]
      if (reported !== undefined && (known === undefined || reported.at >= known.at))
        this.#sizes.set(name, reported)
    }
  }

  view({ from, to }: HourRange) {
    const size = (name: (typeof sizeNames)[number], unit: number): number | null => {
      const latest = this.#sizes.get(name)
      return latest === undefined ? null : round(latest.last / unit, 6)
    }
    return {
      start: timeOfHour(from),
      end: timeOfHour(to),
      replicas: this.#subjects.size,
      cpu_cores: {
        ...percentiles(this.#cpu, microcores),
        request: size('cpuRequestMicrocores', microcores),
        limit: size('cpuLimitMicrocores', microcores),
      },
      memory_gib: {
        ...percentiles(this.#memory, gibBytes),
        request: size('memoryRequestBytes', gibBytes),
        limit: size('memoryLimitBytes', gibBytes),
      },
      oom_kills: this.#oomKills,
      restarts: this.#restarts,
    }
  }
}

function percentiles(distribution: Distribution, unit: number) {
  const at = (q: number): number | null =>
    distribution.count === 0 ? null : round(distribution.quantile(q) / unit, 6)
  const mean = distribution.count === 0 ? null : round(distribution.mean / unit, 6)
  return { mean, p50: at(0.5), p95: at(0.95), max: at(1) }
}
