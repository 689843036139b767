import { NodeLoads } from '../costs/allocation/nodes.ts'
import type { ClusterLoads } from '../costs/clusters/node-load-cache.ts'
import { readNamespaces } from '../costs/clusters/read-namespaces.ts'
import type { NamespaceRef } from '../domain/subject.ts'
import { type Clock, dayHours, hourSeconds } from '../domain/time.ts'
import { gatherEvidence } from '../rightsizing/evidence.ts'
import type { SizingModel } from '../rightsizing/model/model.ts'
import { RecommendationWorkspace } from '../rightsizing/risk/resource-forecast.ts'
import type { Yielder } from '../runtime/yielder.ts'
import type { DecisionStore, StoredDecision } from '../store/port-decisions.ts'
import type { UsageStore } from '../usage/port.ts'
import type { Container } from '../usage/reading/containers.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { lookbackDays, type SizeDecision } from './decision.ts'
import { encodeDecision } from './decision-codec.ts'
import { readPastDecisions, settingsSince } from './past-decisions.ts'
import { sizingWorkload } from './sizing-workload.ts'

export interface DecidingDeps {
  readonly store: {
    readonly usage: Pick<UsageStore, 'digests' | 'firstKey'>
    readonly decisions: DecisionStore
  }
  readonly now: Clock
  /** Largest number of pods of a namespace in memory at a time; by default as many as fit in some megabytes. */
  readonly maxPods?: number
}

export interface DecidingModel {
  readonly model: SizingModel
  /** Absent if the organisation has no model of its own. */
  readonly version?: string
}

export interface DecisionMoment {
  /** Days since 1970. */
  readonly day: number
  /** Hour at which the usage ends that is decided from. */
  readonly hour: number
  readonly late: boolean
}

export interface NamespaceDeciding {
  readonly moment: DecisionMoment
  readonly model: DecidingModel
  readonly yielder: Yielder
  select(containers: readonly Container[]): Promise<readonly Container[]>
}

/**
 * Decides the sizes of containers of a namespace, and stores the decisions some hundreds at a time. Memory does not grow with
 * the number of containers.
 */
export async function decideNamespace(
  deps: DecidingDeps,
  organisation: string,
  { cluster, namespace }: NamespaceRef,
  { moment, model, yielder, select }: NamespaceDeciding,
): Promise<void> {
  const decide = decider(deps, moment, model)
  const place = { kind: 'container', cluster, namespace } as const
  const query = { hours: lookback(moment.hour), cluster, namespace, after: undefined }
  let batch: StoredDecision[] = []
  for await (const reading of readNamespaces(withoutLoads(deps), organisation, query, yielder))
    for await (const containers of reading.batches()) {
      const selected = await select(containers)
      const names = selected.map(({ key }) => key)
      const past = await readPastDecisions(deps.store.decisions, organisation, place, names, moment.day)
      for (const container of selected) {
        batch.push(decide(container, past.get(container.key) ?? []))
        if (yielder.isDue) await yielder.pause()
      }
      if (batch.length < decisionsAtOnce) continue
      await deps.store.decisions.write(organisation, place, batch)
      batch = []
    }
  if (batch.length > 0) await deps.store.decisions.write(organisation, place, batch)
}

function decider({ now }: DecidingDeps, moment: DecisionMoment, { model, version }: DecidingModel) {
  const workspace = new RecommendationWorkspace()
  const { day, hour, late } = moment
  const context = { atHour: hour, model, ...(version === undefined ? {} : { modelVersion: version }) }
  return (container: Container, past: readonly SizeDecision[]): StoredDecision => {
    const known = sizingWorkload(container, undefined)
    const { current = {}, replicas = 1 } = known
    const workload = { ...known, ...settingsSince(past, current, moment) }
    const before = past.at(-1)?.evidence
    const evidence = gatherEvidence(
      workload,
      { ...context, ...(before === undefined ? {} : { before }) },
      workspace,
    )
    const decision = { day, late, evidence, decidedAt: now(), current, replicas }
    return { name: container.key, day, bytes: encodeDecision(decision) }
  }
}

const decisionsAtOnce = 256

/** Whole days, which are read from their summaries, and the hours of the last day. */
export const lookback = (hour: number): HourRange => ({
  from: (Math.floor(hour / dayHours) - lookbackDays) * dayHours,
  to: hour,
})

/** Sizes do not depend on what else ran on the nodes. */
export const withoutLoads = (deps: DecidingDeps) => ({
  ...deps,
  loads: {
    loadsOf: async (
      _organisation: string,
      _cluster: string,
      { from, to }: HourRange,
    ): Promise<ClusterLoads> => ({
      loads: new NodeLoads(),
      endAt: to * hourSeconds - 1,
      firstHour: from,
      measuredFrom: from,
    }),
  },
})
