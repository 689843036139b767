import { WorkloadLabels } from '../../costs/allocation/cost-groups.ts'
import {
  memoizeNodePrices,
  NodeLoads,
  type NodePrices,
  summarisePrices,
} from '../../costs/allocation/nodes.ts'
import type { NamespaceUsage } from '../../costs/clusters/namespace-usage.ts'
import {
  type NamespaceFacts,
  type PageEnd,
  readNamespaceFacts,
  readNamespaces,
} from '../../costs/clusters/read-namespaces.ts'
import type { SpendDeps } from '../../costs/report/report-costs.ts'
import type { DecidingDeps, DecidingModel } from '../../decisions/decide-namespace.ts'
import { DecisionFinder } from '../../decisions/find-decisions.ts'
import { LookbackUsage } from '../../decisions/lookback-usage.ts'
import { advisorFor, type SizeAdvisor } from '../../rightsizing/advisor.ts'
import {
  constraintsFor,
  type SizeConstraints,
  type SizingRule,
} from '../../rightsizing/constraints/sizing-rules.ts'
import type { SizingPreference } from '../../rightsizing/workload.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { readEntities } from '../../usage/digest/entities.ts'
import type { Container } from '../../usage/reading/containers.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { type ContainerContent, NamespaceDraft, type SizedContainer } from './namespace-draft.ts'
import { type DigestSource, HourlyUseBudget, limitToNodePrices } from './overfull-nodes.ts'
import { PageLimits, type PageQuery } from './page-limits.ts'
import { priceContainer, unitUsdOf } from './price-container.ts'
import { addReplicaReasons } from './replica-reasons.ts'
import { sizeContainer } from './size-container.ts'
import { decidedSizes, type SizeSource, windowSizes } from './size-source.ts'

export interface SizesDeps extends SpendDeps {
  readonly store: SpendDeps['store'] & DecidingDeps['store']
  /** Largest number of pods of a namespace in memory at a time; by default as many as fit in some megabytes. */
  readonly maxPods?: number
  preferenceOf(organisation: string): Promise<SizingPreference>
  modelOf(organisation: string): Promise<DecidingModel>
  rules(organisation: string): Promise<readonly SizingRule[]>
}

export interface SizesQuery extends PageQuery {
  readonly hours: HourRange
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  readonly preference: SizingPreference | undefined
  readonly constraints: SizeConstraints
  readonly explain: boolean
  readonly rules?: readonly SizingRule[]
  readonly ofWindow?: boolean
}

/** All containers of all namespaces, by the preference and the rules of the organisation. */
export const everyNamespace: Omit<SizesQuery, 'hours'> = {
  cluster: undefined,
  namespace: undefined,
  preference: undefined,
  constraints: {},
  explain: false,
  limit: Number.POSITIVE_INFINITY,
  containerLimit: undefined,
  after: undefined,
}

interface SizingOptions {
  readonly hourlyUseBudget?: HourlyUseBudget
  readonly signal?: AbortSignal
}

/**
 * Sizes every container of every namespace from what ran in a window, in order of cluster and then of namespace. The new
 * spend of a namespace assumes that it alone changes, so that it is the same in every list and on every page. Returns
 * where the page ended if there is more.
 */
export async function* sizeNamespaces<Content extends ContainerContent>(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  newContent: (namespace: NamespaceUsage) => Content,
  options: SizingOptions = {},
): AsyncGenerator<NamespaceDraft<Content>, PageEnd | undefined> {
  if (query.hours.from >= query.hours.to) return undefined
  const sizing = await openSizing(deps, organisation, query, options)
  const page = new PageLimits(query)
  for await (const reading of readNamespaces(deps, organisation, query, sizing.source.yielder)) {
    if (page.isFull) return page.last
    const draft = await sizeNamespace(reading, sizing, newContent(reading))
    page.select(draft)
    // The namespace in which the page before ended may have lost its other containers since.
    if (draft.from < draft.to) yield draft
    if (page.isCut) return page.last
  }
  return undefined
}

interface Sizing {
  readonly source: DigestSource
  readonly query: SizesQuery
  readonly prices: NodePrices
  readonly sizes: SizeSource
  readonly rules: readonly SizingRule[]
  readonly labels: RuleLabels
  readonly facts: NamespaceFacts
  readonly hourlyUseBudget: HourlyUseBudget
}

async function openSizing(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  { hourlyUseBudget = new HourlyUseBudget(), signal }: SizingOptions,
): Promise<Sizing> {
  const { hours, cluster } = query
  const yielder = new Yielder(signal)
  const [prices, sizes, rules, facts] = await Promise.all([
    deps.nodePrices(organisation, cluster, query.hours).then(memoizeNodePrices),
    sizesFor(deps, organisation, query, yielder),
    rulesFor(deps, organisation, query),
    readNamespaceFacts(deps.store.usage, organisation, cluster, hours),
  ])
  const source = { store: deps.store, organisation, hours, yielder }
  const labels = await readRuleLabels(deps, organisation, rules)
  return { source, query, prices, sizes, rules, labels, facts, hourlyUseBudget }
}

/** A preference of the request overrides those of rules, as its constraints do. */
async function rulesFor(deps: SizesDeps, organisation: string, { rules, preference }: SizesQuery) {
  const all = rules ?? (await deps.rules(organisation))
  return preference === undefined ? all : all.map((rule) => ({ ...rule, preference: undefined }))
}

type RuleLabels = ReadonlyMap<string, WorkloadLabels>

async function readRuleLabels({ store }: SizesDeps, organisation: string, rules: readonly SizingRule[]) {
  const names = new Set(rules.flatMap(({ labels = {} }) => Object.keys(labels)))
  if (names.size === 0) return new Map()
  const entities = await readEntities(store.usage, organisation, { kinds: ['workload', 'namespace'] })
  return new Map([...names].map((name) => [name, new WorkloadLabels(entities, name)]))
}

/** A shortfall that the organisation has not set needs a forecast of its own, which is not stored. */
async function sizesFor(
  deps: SizesDeps,
  organisation: string,
  { hours, preference, ofWindow, explain }: SizesQuery,
  yielder: Yielder,
): Promise<SizeSource> {
  const model = await deps.modelOf(organisation)
  const preferred = preference ?? (await deps.preferenceOf(organisation))
  const advisor = advisorFor(preferred, model.model)
  if (ofWindow || preferred.shortfall !== undefined) return windowSizes(advisor)
  const lookback = explain ? new LookbackUsage(deps, organisation, yielder) : undefined
  return decidedSizes(new DecisionFinder(deps, organisation, hours, yielder), preferred, advisor, lookback)
}

/** Sizes and prices the containers of a namespace, then limits its new spend to the prices of its nodes. */
async function sizeNamespace<Content extends ContainerContent>(
  reading: NamespaceUsage,
  sizing: Sizing,
  content: Content,
): Promise<NamespaceDraft<Content>> {
  const { source, prices, facts, hourlyUseBudget } = sizing
  const draft = new NamespaceDraft(reading, facts.quotaOf(reading.cluster, reading.namespace), content)
  const { loads } = reading.loads
  const changes = new NodeLoads()
  hourlyUseBudget.begin(draft, reading)
  for await (const batch of reading.batches()) {
    const advisorOf = await sizing.sizes.advisorsOf(reading, batch)
    const sizes = new Map<Container, SizedContainer>()
    for (const container of batch) {
      sizes.set(container, await sizedContainer(container, advisorOf(container), reading, sizing, draft))
      if (source.yielder.isDue) await source.yielder.pause()
    }
    await addReplicaReasons(sizes, (workload) =>
      facts.autoscalerOf(reading.cluster, reading.namespace, workload),
    )
    for (const [container, sized] of sizes) {
      const see = (use: HourlyUse) => content.see?.(use)
      draft.add(await priceContainer(sized, container.uses, { prices, loads, changes }, see))
      hourlyUseBudget.keep(draft, container)
      if (source.yielder.isDue) await source.yielder.pause()
    }
  }
  draft.newSpendIfAllChangeUsd = draft.newSpendUsd
  await limitToNodePrices(draft, source, { loads, changes, prices })
  draft.prices = summarisePrices(prices, draft.cluster, draft.nodes)
  return draft
}

async function sizedContainer(
  container: Container,
  advisor: SizeAdvisor,
  { cluster, namespace, latestHour, endAt }: NamespaceUsage,
  { query, prices, facts, rules, labels }: Sizing,
  draft: NamespaceDraft<ContainerContent>,
): Promise<SizedContainer> {
  const { workload, name, image } = container
  const labelOf = (label: string) => labels.get(label)?.valueOf({ cluster, namespace }, workload) ?? ''
  const ruled = { cluster, namespace, workload, container: name, image, labelOf }
  return sizeContainer(container, advisor, {
    namespace,
    latestHour,
    endAt,
    autoscaler: facts.autoscalerOf(cluster, namespace, workload),
    unitUsd: await unitUsdOf(container.uses, prices, (node) => draft.nodes.add(node)),
    explain: query.explain,
    rules: constraintsFor(rules, query.constraints, ruled),
  })
}
