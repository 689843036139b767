import { type FieldError, Problem } from '../../domain/problem.ts'
import type { Unchecked } from '../../domain/schema.ts'
import { dayMs, hourMs, parsePeriod } from '../../domain/time.ts'
import { type HourRange, hoursOfWindow } from '../../usage/reading/pod-usage.ts'
import {
  type ClusterRules,
  defaultClusterDays,
  defaultClusterRules,
  maxClusterDays,
} from './cluster-rules.ts'
import type { ClustersQueryView, RulesView } from './schema.ts'

export type ClustersRequest = Unchecked<typeof ClustersQueryView>

export interface ClustersQuery {
  /** They end at the running hour at the latest. */
  readonly hours: HourRange
  readonly cluster: string | undefined
  readonly rules: ClusterRules
}

/** Throws one problem that names every error. */
export function parseClustersRequest(request: ClustersRequest, now: number): ClustersQuery {
  const errors: FieldError[] = []
  const nextHour = Math.floor(now / hourMs) + 1
  const absent = { endMs: nextHour * hourMs, lengthMs: defaultClusterDays * dayMs }
  const { startMs, endMs } = parsePeriod(request, absent, errors)
  const hours = hoursOfWindow(startMs, Math.min(endMs, nextHour * hourMs))
  if (hours.to - hours.from > maxClusterDays * 24)
    errors.push({ pointer: '?start_date', message: `must be at most ${maxClusterDays} days before the end` })
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  return {
    hours,
    cluster: request.cluster || undefined,
    rules: rulesOf(request),
  }
}

export const rulesOf = (request: Unchecked<typeof RulesView>): ClusterRules => ({
  headroom: request.headroom ?? defaultClusterRules.headroom,
  minNodes: request.min_nodes ?? defaultClusterRules.minNodes,
  podsPerNode: request.pods_per_node,
  maxPools: request.max_pools ?? defaultClusterRules.maxPools,
  minGain: request.min_gain ?? defaultClusterRules.minGain,
  spotShare: request.spot ?? defaultClusterRules.spotShare,
  arm64: (request.arm64 ?? '').split(',').flatMap((name) => name.trim() || []),
  elsewhere: request.elsewhere ?? true,
})
