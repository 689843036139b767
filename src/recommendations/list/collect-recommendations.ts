import type { NamespaceUsage } from '../../costs/clusters/namespace-usage.ts'
import { recommendationDays } from '../../domain/recommendation.ts'
import { hourMs } from '../../domain/time.ts'
import { type CoveredHour, readCoveredHour } from '../../pricing/commitments/covered-hour.ts'
import { lossNotes } from '../../pricing/commitments/loss-notes.ts'
import { listVolumes } from '../../pricing/disks/report-volumes.ts'
import { offerFactsFor } from '../../pricing/offer-facts.ts'
import { reportedMachine } from '../../pricing/reported-machine.ts'
import { Yielder } from '../../runtime/yielder.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { ClusterCollector } from '../clusters/cluster-collector.ts'
import { defaultClusterRules } from '../clusters/cluster-rules.ts'
import type { NamespacePods } from '../clusters/namespace-pods.ts'
import type { ContainerContent, PricedContainer } from '../containers/namespace-draft.ts'
import { everyNamespace, sizeNamespaces } from '../containers/size-namespaces.ts'
import { maxMachines } from '../machines/query.ts'
import { summariseMachines } from '../machines/summarise-machines.ts'
import type { RecommendationDeps } from './deps.ts'
import { clusterRecommendationId, clusterRow, clusterSize } from './rows/cluster-row.ts'
import { idleMachineId, machineRecommendationId, machineRows, machineSize } from './rows/machine-rows.ts'
import { NamespaceRows } from './rows/namespace-rows.ts'
import {
  type DroppedListRows,
  type RecommendationRow,
  type SubjectObserver,
  TopRows,
} from './rows/recommendation-row.ts'
import { replacementsIn } from './rows/replacements.ts'
import { volumeRecommendationId, volumeRow, volumeSize } from './rows/volume-row.ts'

/** Number of recommendations that are kept for an organisation: about 15 MB. */
export const maxListed = 10_000

interface CollectedRecommendations {
  readonly rows: readonly RecommendationRow[]
  readonly dropped: DroppedListRows
  readonly subjects: number
}

export function recommendationHours(now: number): HourRange {
  const to = Math.floor(now / hourMs) + 1
  return { from: to - recommendationDays * 24, to }
}

/** Collects all recommendations for an organisation, from the same figures as those of its namespaces and machines. */
export async function collectRecommendations(
  deps: RecommendationDeps,
  organisation: string,
  hours: HourRange,
  observer: SubjectObserver,
  signal: AbortSignal,
  most = maxListed,
): Promise<CollectedRecommendations> {
  const top = new TopRows<RecommendationRow>(most)
  const { pricing } = deps.machines
  const clusters = await ClusterCollector.open({ pricing, usage: deps.sizes.store.usage }, organisation, {
    cluster: undefined,
    hours,
  })
  const sizing = sizeNamespaces(
    deps.sizes,
    organisation,
    { ...everyNamespace, hours },
    (reading) => new RecommendationContent(reading, observer, most, clusters),
    { signal },
  )
  let subjects = 0
  for await (const draft of sizing) {
    subjects += draft.keys.length
    draft.content.rows.finish(draft, top)
    draft.content.pods.finish()
  }
  const hour = await readCoveredHour(deps.machines, organisation)
  const { displayName } = offerFactsFor(pricing, clusters.market, false)
  const risky = top.items.filter(
    ({ recommendation: { kind, risk } }) => kind === 'container' && risk === 'high',
  )
  const riskyClusters = new Set(risky.map(({ recommendation }) => recommendation.cluster))
  for (const plan of await clusters.plan(defaultClusterRules, new Yielder(signal))) {
    const current = clusterSize(plan, displayName)
    observer.see(clusterRecommendationId(plan.pods.cluster), current)
    const row = clusterRow(plan, current, displayName, {
      hour,
      hasRiskySizes: riskyClusters.has(plan.pods.cluster),
    })
    if (row !== undefined) top.add(row)
  }
  for await (const { summary, facts } of machinesOf(deps, organisation, hours, signal)) {
    subjects++
    const current = machineSize(facts, (name) => pricing.findProvider(name)?.displayName ?? name)
    observer.see(machineRecommendationId(summary.vm), current)
    observer.see(idleMachineId(summary.vm), current)
    for (const row of machineRows(summary, current)) top.add(row)
  }
  const store = { settings: deps.store.settings, usage: deps.sizes.store.usage }
  const volumes = await listVolumes({ pricing, store, now: deps.now }, organisation)
  for (const volume of volumes) {
    observer.seeVolume(volumeRecommendationId(volume), volume.cluster, volumeSize(volume))
    const row = volumeRow(volume)
    if (row !== undefined) top.add(row)
  }
  const rows = hour === undefined ? top.items : withLossNotes(top.items, hour)
  return { rows, dropped: top.dropped, subjects }
}

/** Each of several recommendations that share a commitment regards itself alone, so what all of them waste is added. */
function withLossNotes(rows: readonly RecommendationRow[], hour: CoveredHour): readonly RecommendationRow[] {
  const sharing = rows.filter(({ isCommitted }) => isCommitted)
  if (sharing.length < 2) return rows
  const all = rows
    .map(({ recommendation }) => recommendation)
    .filter(({ kind, machine }) => kind === 'cluster' || machine !== null)
  const notes = lossNotes(hour, replacementsIn(all, hour.pricing, hour.market))
  return rows.map((row) =>
    row.isCommitted
      ? {
          ...row,
          recommendation: { ...row.recommendation, reasons: [...row.recommendation.reasons, ...notes] },
        }
      : row,
  )
}

class RecommendationContent implements ContainerContent {
  readonly rows: NamespaceRows
  readonly pods: NamespacePods

  constructor(reading: NamespaceUsage, observer: SubjectObserver, most: number, clusters: ClusterCollector) {
    const { cluster, namespace, latestHour: endHour, measuredHours } = reading
    this.rows = new NamespaceRows({ cluster, namespace }, { endHour, measuredHours }, observer, most)
    this.pods = clusters.podsOf(reading)
  }

  see(use: HourlyUse): void {
    this.rows.see(use)
    this.pods.see(use)
  }

  add(container: PricedContainer): void {
    this.rows.add(container)
    this.pods.add(container)
  }
}

async function* machinesOf(
  { machines }: RecommendationDeps,
  organisation: string,
  { from, to }: HourRange,
  signal: AbortSignal,
) {
  const period = {
    start_date: hourText(from),
    end_date: hourText(to),
    limit: maxMachines,
    include_rehost: true,
  }
  let next: object | undefined = {}
  while (next !== undefined) {
    const page = await summariseMachines(machines, organisation, { ...period, ...next }, signal)
    for (const summary of page.items) {
      const described = (await machines.facts.factsOf(organisation)).get(summary.vm)
      yield { summary, facts: reportedMachine(described) }
    }
    next = page.next
  }
}

export const hourText = (hour: number): string => new Date(hour * hourMs).toISOString()
