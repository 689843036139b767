import { kindOfWorkload, nameOfWorkload } from '../../domain/subject.ts'
import { hourMs } from '../../domain/time.ts'
import { marketOf } from '../../pricing/market.ts'
import { describeNode, priceNode } from '../../pricing/price-node.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { readEntities } from '../../usage/digest/entities.ts'
import { describeVms } from '../compute/describe-vms.ts'
import { viewTotals } from '../containers/answer/view-namespace.ts'
import type { PricedContainer } from '../containers/namespace-draft.ts'
import { everyNamespace, type SizesDeps, sizeNamespaces } from '../containers/size-namespaces.ts'
import { listRecommendations, type RecommendationListDeps } from '../list/list-recommendations.ts'
import { parseListRequest } from '../list/query.ts'
import { savingsParts } from '../list/savings-parts.ts'
import type { MachinesDeps } from '../machines/deps.ts'
import { summariseMachines } from '../machines/summarise-machines.ts'
import { Exposition, families } from './families.ts'

export interface MetricsDeps {
  readonly recommendations: RecommendationListDeps
  readonly sizes: SizesDeps
  readonly machines: MachinesDeps
}

export interface MetricsQuery {
  readonly days: number
  readonly cluster: string | undefined
  readonly limit: number
}

/**
 * Exports the sizes, spend and prices of one organisation as metrics. They are the same figures as in the
 * recommendations.
 */
export async function exportMetrics(
  deps: MetricsDeps,
  organisation: string,
  query: MetricsQuery,
  signal: AbortSignal,
): Promise<Exposition> {
  const metrics = new Exposition(Object.values(families))
  const leftOut = {
    container: 0,
    namespace: 0,
    node: await addNodes(deps, organisation, query, metrics, signal),
    machine: query.cluster === undefined ? await addMachines(deps, organisation, query, metrics, signal) : 0,
  }
  Object.assign(leftOut, await addNamespaces(deps.sizes, organisation, query, metrics, signal))
  const open = parseListRequest({
    ...(query.cluster === undefined ? {} : { cluster: query.cluster }),
    limit: 1,
  })
  const { totals } = await listRecommendations(deps.recommendations, organisation, open, signal)
  for (const { part, usd } of savingsParts(totals.savings)) metrics.add(families.possibleSavings, [part], usd)
  for (const [kind, count] of Object.entries(leftOut)) metrics.add(families.leftOut, [kind], count)
  metrics.add(families.generatedAt, [], deps.sizes.now() / 1000)
  return metrics
}

async function addNamespaces(
  deps: SizesDeps,
  organisation: string,
  { days, cluster, limit }: MetricsQuery,
  metrics: Exposition,
  signal: AbortSignal,
): Promise<{ container: number; namespace: number }> {
  const to = Math.floor(deps.now() / hourMs)
  const query = { ...everyNamespace, hours: { from: to - 24 * days, to }, cluster }
  let [namespaces, containers] = [0, 0]
  // The cluster and namespace of a container are known from the draft, which comes after its containers.
  const held = () => new HeldContainers(Math.max(0, limit - containers))
  for await (const draft of sizeNamespaces(deps, organisation, query, held, { signal })) {
    const place = [draft.cluster, draft.namespace]
    for (const container of draft.content.containers) addContainer(metrics, place, container)
    containers += draft.content.count
    if (++namespaces > limit) continue
    const { MonthlyCurrentSpend, MonthlyNewSpend, MonthlySavings } = viewTotals(draft)
    metrics.add(families.spend, place, MonthlyCurrentSpend)
    metrics.add(families.recommendedSpend, place, MonthlyNewSpend)
    metrics.add(families.savings, place, MonthlySavings)
  }
  return { container: Math.max(0, containers - limit), namespace: Math.max(0, namespaces - limit) }
}

type ContainerFigures = ReturnType<typeof figuresOf>

class HeldContainers {
  readonly containers: ContainerFigures[] = []
  readonly #most: number
  count = 0

  constructor(most: number) {
    this.#most = most
  }

  add(container: PricedContainer): void {
    if (container.hasUnknownRequests) return
    if (this.count++ < this.#most) this.containers.push(figuresOf(container))
  }
}

function figuresOf({ workload, name, current, recommended, advised, replicas }: PricedContainer) {
  return {
    labels: [kindOfWorkload(workload), nameOfWorkload(workload), name],
    cores: current.cpuRequest,
    gib: current.memoryRequest,
    recommendedCores: advised.cpu === null ? undefined : recommended.cpuRequest,
    recommendedGib: advised.memory === null ? undefined : recommended.memoryRequest,
    replicas: replicas.atEnd,
  }
}

function addContainer(metrics: Exposition, place: readonly string[], of: ContainerFigures): void {
  const at = [...place, ...of.labels]
  metrics.add(families.requestCores, at, of.cores)
  metrics.add(families.recommendedCores, at, of.recommendedCores)
  metrics.add(families.requestBytes, at, bytesOf(of.gib))
  metrics.add(families.recommendedBytes, at, bytesOf(of.recommendedGib))
  metrics.add(families.replicas, at, of.replicas)
}

async function addNodes(
  { machines: { pricing, now }, sizes: { store } }: MetricsDeps,
  organisation: string,
  { cluster, limit }: MetricsQuery,
  metrics: Exposition,
  signal: AbortSignal,
): Promise<number> {
  const market = await marketOf(pricing, organisation)
  const kinds = ['node'] as const
  const asked = cluster === undefined ? { kinds } : { kinds, cluster }
  const sinceHour = Math.floor(now() / hourMs) - 24
  const nodes = [...(await readEntities(store.usage, organisation, asked)).values()]
    .filter(({ lastHour }) => lastHour >= sinceHour)
    .sort((a, b) => (placeOf(a.ref) < placeOf(b.ref) ? -1 : 1))
  const yielder = new Yielder(signal)
  for (const node of nodes.slice(0, limit)) {
    if (yielder.isDue) await yielder.pause()
    const { perHourUsd, source } = priceNode(pricing, market, node)
    const { provider = '', region = '', instance_type = '' } = describeNode(pricing, market, node) ?? {}
    const at = [node.ref.cluster, node.ref.name, provider, region, instance_type, source]
    metrics.add(families.nodePrice, at, perHourUsd)
  }
  return Math.max(0, nodes.length - limit)
}

const placeOf = ({ cluster, name }: { cluster: string; name: string }): string => `${cluster}\0${name}`

async function addMachines(
  { machines }: MetricsDeps,
  organisation: string,
  { days, limit }: MetricsQuery,
  metrics: Exposition,
  signal: AbortSignal,
): Promise<number> {
  const { items } = await describeVms(machines, organisation, { limit })
  for (const vm of items) {
    metrics.add(families.vmCores, [vm.name], vm.cpucores)
    metrics.add(families.vmBytes, [vm.name], bytesOf(vm.ramgiB))
    const at = [vm.name, vm.provider, vm.region, vm.instanceType, vm.priceSource]
    metrics.add(families.vmPrice, at, vm.costPerHour)
  }
  const nowMs = machines.now()
  const start_date = new Date(nowMs - days * 24 * hourMs).toISOString()
  let left = limit
  let page: { readonly start_date?: string; readonly cursor?: string } | undefined = { start_date }
  while (page !== undefined && left > 0) {
    const asked = { ...page, limit: Math.min(left, machinesAtOnce) }
    const { items, next } = await summariseMachines(machines, organisation, asked, signal)
    for (const { vm, totalRecommendedCPU, totalRecommendedRAM } of items) {
      // Nothing is recommended before there is enough data.
      if (totalRecommendedCPU === 0 && totalRecommendedRAM === 0) continue
      metrics.add(families.vmRecommendedCores, [vm], totalRecommendedCPU)
      metrics.add(families.vmRecommendedBytes, [vm], bytesOf(totalRecommendedRAM))
    }
    left -= items.length
    page = next
  }
  return Math.max(0, (await machines.facts.factsOf(organisation)).size - limit)
}

const bytesOf = (gib: number | null | undefined): number | undefined =>
  gib === null || gib === undefined ? undefined : Math.round(gib * 2 ** 30)
const machinesAtOnce = 100
