import { dollars, round, roundSum } from '../../../domain/money.ts'
import type { Offer } from '../../../domain/offer.ts'
import { savingSentence } from '../../../pricing/answer/commitment-texts.ts'
import type { CoveredHour } from '../../../pricing/commitments/covered-hour.ts'
import type { ClusterPlan } from '../../clusters/cluster-plan.ts'
import type { SubjectSize } from '../schema.ts'
import { noSize, type RecommendationRow, recommendationId } from './recommendation-row.ts'

export const clusterRecommendationId = (cluster: string): string => recommendationId('cluster', cluster)

const unsureBelow = 0.5

export function clusterRow(
  plan: ClusterPlan,
  current: SubjectSize,
  displayName: (offer: Offer) => string,
  { hour, hasRiskySizes }: { readonly hour: CoveredHour | undefined; readonly hasRiskySizes: boolean },
): RecommendationRow | undefined {
  const { pods, nodes, week, perMonthUsd, lowerBoundUsd, confidence, notes } = plan
  const option = plan.recommended
  if (option === undefined) return undefined
  const { cluster } = pods
  const committed = week === undefined ? hour?.savingOfCluster(cluster, option.pools) : undefined
  const worth = committed?.saves_per_month ?? option.savingsUsd
  if (worth <= 0) return undefined
  const isRisky = option.needsSizes && hasRiskySizes
  const types = [...nodes.keys()]
  const days = types.flatMap(({ cost }) => cost.day ?? []).sort()
  const then = poolsText(option.pools)
  const recommendation = {
    id: clusterRecommendationId(cluster),
    kind: 'cluster' as const,
    title: `Run cluster ${cluster} on ${then} instead of ${poolsText(currentPools(plan))}`,
    cluster,
    namespace: null,
    workload: null,
    container: null,
    init: false,
    machine: null,
    worth_per_month: roundSum(worth),
    cost_per_month: roundSum(perMonthUsd!),
    risk: confidence < unsureBelow || isRisky ? ('high' as const) : ('medium' as const),
    effort: option.effort === 'fewer' && !option.needsSizes ? ('low' as const) : ('medium' as const),
    confidence: round(confidence, 3),
    replicas: null,
    current,
    recommended: poolSize(
      option.pools.map(({ offer, count }) => ({ offer, count, cores: offer.vcpus!, gib: offer.ramGib! })),
      displayName,
    ),
    pools: option.pools.map(({ offer, count }) => ({
      provider: displayName(offer),
      region: offer.region,
      instance_type: offer.instanceType,
      operating_system: offer.operatingSystem,
      usage_type: offer.usageType,
      count,
    })),
    idle_days: null,
    findings: [],
    reasons: [
      `With the recommended sizes the pods request ${percent(option.requested.cores)} of the cores and ${percent(option.requested.gib)} of the memory of ${then}.`,
      `These nodes cost ${dollars(option.perMonthUsd)} a month instead of ${dollars(perMonthUsd!)}; no set of these types that fits the pods costs less than ${dollars(lowerBoundUsd!)}.`,
      ...(option.needsSizes
        ? ['Resize the containers first: with their current requests the pods do not fit.']
        : []),
      ...(isRisky ? ['Some of these sizes have high risk, and so has this plan.'] : []),
      ...(committed === undefined ? [] : [savingSentence(committed)]),
      ...notes,
    ],
    price_sources: [...new Set(types.map(({ cost }) => cost.source))],
    price_date: days[0] ?? null,
    is_estimate: false,
  }
  return { recommendation, worth, coveredBy: null, isCommitted: committed !== undefined }
}

const currentPools = ({ nodes, week }: ClusterPlan): CountedType[] =>
  week === undefined
    ? [...nodes].map(([{ instanceType: name }, count]) => ({ type: { name }, count }))
    : [...week.byType].map(([{ instanceType: name }, byHour]) => ({
        type: { name },
        count: 0,
        mean: week.meanOf(byHour),
      }))

export const clusterSize = ({ nodes }: ClusterPlan, displayName: (offer: Offer) => string): SubjectSize =>
  poolSize(
    [...nodes].map(([{ offer, cores, gib }, count]) => ({ offer, count, cores, gib })),
    displayName,
  )

interface SizedPool {
  readonly offer: Offer | undefined
  readonly count: number
  readonly cores: number
  readonly gib: number
}

/** Returns the size of all nodes together. A member is null if it differs among them. */
function poolSize(pools: readonly SizedPool[], displayName: (offer: Offer) => string): SubjectSize {
  const sum = (of: (pool: SizedPool) => number) => pools.reduce((total, pool) => total + of(pool), 0)
  const common = (of: (offer: Offer) => string): string | null => {
    const values = new Set(pools.map(({ offer }) => (offer === undefined ? null : of(offer))))
    return values.size === 1 ? [...values][0]! : null
  }
  return {
    ...noSize,
    cpu_cores: round(
      sum(({ count, cores }) => count * cores),
      6,
    ),
    memory_gib: round(
      sum(({ count, gib }) => count * gib),
      6,
    ),
    provider: common(displayName),
    region: common(({ region }) => region),
    instance_type: common(({ instanceType }) => instanceType),
    nodes: sum(({ count }) => count),
  }
}

interface CountedType {
  readonly type: { readonly name: string }
  readonly count: number
  /** If an autoscaler adds and removes nodes. */
  readonly mean?: number
}

function poolsText(pools: readonly CountedType[]): string {
  const counts = new Map<string, number>()
  for (const { type, count, mean = count } of pools)
    counts.set(type.name, mean + (counts.get(type.name) ?? 0))
  const text = new Intl.ListFormat('en').format(
    [...counts].map(([name, count]) => `${round(count, 1)} x ${name}`),
  )
  return pools.some(({ mean }) => mean !== undefined) ? `${text} on average` : text
}

const percent = (share: number): string => `${Math.round(100 * share)}%`
