import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import { round, roundHourly, roundSum } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import { timeOfHour } from '../../domain/time.ts'
import { savingSentence } from '../../pricing/answer/commitment-texts.ts'
import type { CoveredHour } from '../../pricing/commitments/covered-hour.ts'
import type { CommittedSaving } from '../../pricing/commitments/schema.ts'
import type { Market, PricingDeps } from '../../pricing/market.ts'
import { offerFactsFor } from '../../pricing/offer-facts.ts'
import { priceSourceOf } from '../../pricing/price-source.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { CurrentNodeType } from './cluster-nodes.ts'
import { type ClusterOption, type ClusterPlan, maxUnplaced, type ZonedPool } from './cluster-plan.ts'
import type { ClusterEffort } from './cluster-rules.ts'
import { formatsOf } from './export-pools.ts'
import { migrationCommands, migrationSteps } from './migration-steps.ts'
import type { NodeWeek } from './node-week.ts'
import { noResources, type ResourceSum } from './packing/cluster-pods.ts'
import type { ClusterOptionView, ClusterRecommendation, NodePoolView } from './schema.ts'

export function viewCluster(
  pricing: PricingDeps,
  market: Market,
  hours: HourRange,
  plan: ClusterPlan,
  hour?: CoveredHour,
): ClusterRecommendation {
  const { displayName } = offerFactsFor(pricing, market, false)
  const { pods, perMonthUsd, options, lowerBoundUsd, week } = plan
  const dollars = (usd: number | null) => (usd === null ? null : roundSum(usd))
  // Commitments cover the nodes of this hour, which an autoscaler changes.
  const covered = week === undefined ? hour : undefined
  const viewed = options.map((option) => ({
    ...viewOption(option, plan, displayName),
    formats: formatsOf(pricing.findProvider(option.pools[0]!.offer.provider)),
    ...committed(covered?.savingOfCluster(pods.cluster, option.pools)),
  }))
  return {
    cluster: pods.cluster,
    start_date: timeOfHour(hours.from),
    end_date: timeOfHour(hours.to),
    measured_hours: pods.measuredHours,
    nodes: viewCurrent(plan, displayName),
    pods: pods.running,
    cost_per_month: {
      now: dollars(perMonthUsd),
      with_sizes: dollars(perMonthUsd),
      with_sizes_and_nodes: dollars(
        lowerBoundUsd === null ? null : (plan.recommended?.perMonthUsd ?? perMonthUsd),
      ),
      lower_bound: dollars(lowerBoundUsd),
    },
    ...committed(covered?.savingOfCluster(pods.cluster, [])),
    confidence: round(plan.confidence, 3),
    recommended: plan.recommended?.id ?? null,
    options: viewed,
    pods_without_node: viewUnplaced(plan),
    reasons: plan.reasons,
    notes: [
      ...plan.notes,
      ...(hour !== covered
        ? ['What commitments cover of nodes that an autoscaler changes is not counted.']
        : []),
      ...viewed.flatMap(({ effort, commitments }) =>
        commitments === undefined ? [] : [`${effort}: ${savingSentence(commitments)}`],
      ),
    ],
  }
}

const viewCurrent = (
  { nodes, week, pods }: ClusterPlan,
  displayName: (offer: Offer) => string,
): ClusterRecommendation['nodes'] =>
  [...new Set([...nodes.keys(), ...(week?.byType.keys() ?? [])])].map((type) => {
    const count = nodes.get(type) ?? 0
    return {
      ...viewNodes(type, count, countsOver(week, week?.byType.get(type)), displayName),
      requested: fillOf(pods.requested.get(type.key) ?? noResources(), type, count),
      used: fillOf(pods.used.get(type.key) ?? noResources(), type, count),
    }
  })

const viewUnplaced = ({ unplaced }: ClusterPlan): ClusterRecommendation['pods_without_node'] =>
  unplaced
    .toSorted((a, b) => b.cores - a.cores || b.gib - a.gib)
    .slice(0, maxUnplaced)
    .map(({ name, count, cores, gib, gpus = 0 }) => ({
      workload: name,
      pods: count,
      cpu_cores: round(cores, 6),
      memory_gib: round(gib, 6),
      why: `No type of node has ${round(cores, 3)} cores and ${round(gib, 3)} GiB${gpus > 0 ? ` and ${gpus} GPUs` : ''} left for a pod, beside what runs on every node.`,
    }))

const committed = (saving: CommittedSaving | undefined) =>
  saving === undefined ? {} : { commitments: saving }

function viewOption(
  option: ClusterOption,
  plan: ClusterPlan,
  displayName: (offer: Offer) => string,
): Omit<ClusterOptionView, 'formats'> {
  const { id, effort, spotShare, pools, perMonthUsd, savingsUsd, needsSizes, requested } = option
  return {
    id,
    effort,
    spot_share: spotShare,
    why:
      effortTexts[effort] +
      (spotShare > 0
        ? ` Up to ${Math.round(100 * spotShare)}% of the pods that tolerate it on spot nodes.`
        : ''),
    pools: pools.map((pool) => viewPool(pool, countsOver(plan.week, pool.byHour), displayName)),
    requested: { cpu: round(requested.cores, 4), memory: round(requested.gib, 4) },
    cost_per_month: roundSum(perMonthUsd),
    savings: {
      amount_per_month: roundSum(savingsUsd),
      percentage: round((100 * savingsUsd) / plan.perMonthUsd!, 3),
    },
    needs_sizes: needsSizes,
    steps: migrationSteps(option, plan),
    commands: migrationCommands(option, plan),
  }
}

function hasSharedVcpus({ provider, instanceType, siblingType = instanceType }: Offer): boolean {
  const kind = shippedFacts().machines.vcpuKind(provider, siblingType)
  return kind === 'shared' || kind === 'shared-pool'
}

const effortTexts: Readonly<Record<ClusterEffort, string>> = {
  fewer: 'The same types, fewer nodes: drain the others, then remove them.',
  resize: 'Other types in the same region: add the pools, move the pods, remove the old nodes.',
  region: 'Another region of the same provider on the same continent: a new cluster; data has to be moved.',
  provider:
    'Another provider on the same continent: a new cluster; if the provider has no Kubernetes service, with a control plane of your own.',
}

function viewPool(
  { offer, count, type, zones }: ZonedPool,
  over: CountsOverTime,
  displayName: (offer: Offer) => string,
): NodePoolView {
  const source = priceSourceOf(offer)
  return {
    ...viewOffer(offer, displayName),
    count,
    ...over,
    ...(zones.size > 0 ? { zones: Object.fromEntries(zones) } : {}),
    cpu_cores: offer.vcpus!,
    memory_gib: offer.ramGib!,
    ...(hasSharedVcpus(offer) ? { shared_vcpus: true } : {}),
    cost_per_month: roundSum((over.mean_count ?? count) * type.perMonthUsd),
    price_source: source,
    ...(offer.priceRules === undefined ? {} : { price_rules: offer.priceRules }),
    price_date: source === 'own' ? null : offer.day,
  }
}

function viewNodes(
  { offer, instanceType, cost, perMonthUsd, cores, gib }: CurrentNodeType,
  count: number,
  over: CountsOverTime,
  displayName: (offer: Offer) => string,
): NodePoolView {
  const unlisted = {
    provider: null,
    region: null,
    instance_type: instanceType || null,
    usage_type: null,
    cost_per_hour: cost.perHourUsd === null ? null : roundHourly(cost.perHourUsd),
  }
  return {
    ...(offer === undefined ? unlisted : viewOffer(offer, displayName)),
    count,
    ...over,
    cpu_cores: round(cores, 6),
    memory_gib: round(gib, 6),
    cost_per_month: perMonthUsd === null ? null : roundSum((over.mean_count ?? count) * perMonthUsd),
    price_source: cost.source,
    ...(cost.priceRules === undefined ? {} : { price_rules: cost.priceRules }),
    price_date: cost.day ?? null,
  }
}

const viewOffer = (offer: Offer, displayName: (offer: Offer) => string) => ({
  provider: displayName(offer),
  region: offer.region,
  instance_type: offer.instanceType,
  usage_type: offer.usageType,
  cost_per_hour: roundHourly(offer.pricePerHourUsd),
})

type CountsOverTime = Pick<NodePoolView, 'mean_count' | 'count_by_hour_of_week'>

function countsOver(week: NodeWeek | undefined, byHour: Float64Array | undefined): CountsOverTime {
  if (week === undefined || byHour === undefined) return {}
  const counts = week.hours.map(({ length }, hour) => (length === 0 ? null : round(byHour[hour]!, 2)))
  return { mean_count: round(week.meanOf(byHour), 6), count_by_hour_of_week: counts }
}

/** Returns null if the size of the nodes is unknown. */
function fillOf(
  sum: ResourceSum,
  { cores, gib }: CurrentNodeType,
  count: number,
): ClusterRecommendation['nodes'][number]['used'] {
  if (count * cores === 0 || gib === 0) return null
  return { cpu: round(sum.cores / (count * cores), 4), memory: round(sum.gib / (count * gib), 4) }
}
