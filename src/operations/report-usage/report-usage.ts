import { type FieldError, Problem } from '../../domain/problem.ts'
import { subjectOfKey } from '../../domain/subject.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { decodeDigests } from '../../usage/digest/codec.ts'
import type { StoredSubject } from '../../usage/port.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import { combineHours } from '../../usage/reading/window.ts'
import { parseWindow, type StepWindow, type WindowRequest } from '../report-costs/query.ts'
import type { CostsDeps } from '../report-costs/report-costs.ts'
import { parseUsageId, type UsageId, type UsageKind } from './usage-id.ts'
import { UsageStep } from './usage-step.ts'

/** Throws one problem that names every fault. */
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

export type UsageReport = Awaited<ReturnType<typeof reportUsage>>

/** How much a container of a workload, or a process of a machine, used in each step, of all its replicas together. */
export async function reportUsage(
  deps: Pick<CostsDeps, 'store'>,
  organisation: string,
  { kind, id, of, hours, steps }: UsageRequest,
  signal?: AbortSignal,
) {
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
