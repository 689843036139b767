import { offlinePricing } from '../src/cli/commands/pricing/offline-pricing.ts'
import { readSettings } from '../src/config.ts'
import type { Offer } from '../src/domain/offer.ts'
import { marketOf } from '../src/pricing/market.ts'
import { NodeSizes } from '../src/recommendations/clusters/node-sizes.ts'
import { candidatePools } from '../src/recommendations/clusters/offered-pools.ts'
import { boundSteps, lowerBoundUsd } from '../src/recommendations/clusters/packing/lower-bound.ts'
import { mixPools } from '../src/recommendations/clusters/packing/mix-pools.ts'
import {
  allocatableOn,
  type NodeType,
  type PoolRules,
  poolsPerMonthUsd,
} from '../src/recommendations/clusters/packing/node-type.ts'
import { emptyNode, type PackedNode, placeOn } from '../src/recommendations/clusters/packing/pack.ts'
import { planParts } from '../src/recommendations/clusters/packing/plan-parts.ts'
import { largestFirst, type PodGroup } from '../src/recommendations/clusters/packing/pods.ts'
import { faultOf } from '../src/recommendations/clusters/packing/verify.ts'
import { loadTraces, samplesPerDay, type Trace } from './usage/traces.ts'

// Measures the nodes planned for clusters whose pods have sizes from real traces, over a lower bound with reserves, daemon
// sets and headroom; against the best single type, and against first-fit decreasing onto large nodes, each replaced by
// the cheapest type that holds its pods, as autoscalers do.
//   node bench/clusters.ts [all types of one region: aws us-east-1]

const pricing = await offlinePricing(readSettings({}))
const market = await marketOf(pricing, 'bench')
const place = { provider: 'aws', region: 'us-east-1' }
const sizes = new NodeSizes(pricing.findProvider, [], undefined)
const [general, accelerated] = [poolsLike('m5.xlarge'), poolsLike('g4dn.xlarge')]
const types = general.map(({ type }) => type)

const traces = loadTraces()
const kinds = [
  { name: 'few large', trace: traces[0]!, scale: 2, replicas: [1, 3] },
  { name: 'many small', trace: traces[1]!, scale: 0.15, replicas: [2, 30] },
  { name: 'mixed', trace: traces[0]!, scale: 0.5, replicas: [1, 12] },
] as const

console.log(`${types.length} types; cost over the lower bound`)
console.log('kind, pods, workloads: planned | best single type | autoscaler | ms | pools')
const ratios: number[] = []
let worstMs = 0
for (const { name, trace, scale, replicas } of kinds)
  for (const count of process.argv[2]?.split(',').map(Number) ?? [100, 300, 1000, 5000, 20_000]) {
    const groups = podsOf(trace, count, scale, replicas)
    const rules: PoolRules = {
      everywhere: { cores: 0.25, gib: 0.4, pods: 5 },
      headroom: 0.1,
      minNodes: 3,
      maxPools: 3,
    }
    const boundStart = performance.now()
    const bound = lowerBoundUsd(groups, types, rules, boundSteps)
    const start = performance.now()
    const boundMs = start - boundStart
    const found = run(mixPools(groups, types, rules))!
    const ms = performance.now() - start
    const fault = faultOf(groups, found.pools, found.nodes, rules)
    if (fault !== undefined) throw new Error(fault)
    const single = run(mixPools(groups, types, { ...rules, maxPools: 1 }))
    const [of, ofSingle, ofAutoscaler] = [
      poolsPerMonthUsd(found.pools) / bound,
      single === undefined ? Number.NaN : poolsPerMonthUsd(single.pools) / bound,
      autoscalerUsd(groups, rules) / bound,
    ]
    ratios.push(of)
    worstMs = Math.max(worstMs, ms)
    const pods = groups.reduce((sum, group) => sum + group.count, 0)
    console.log(
      `${name}, ${pods}, ${groups.length}: ${of.toFixed(3)} | ${ofSingle.toFixed(3)} | ${ofAutoscaler.toFixed(3)} | ${ms.toFixed(0)} (bound ${boundMs.toFixed(0)}) | ${found.pools.map(({ type, count }) => `${count} x ${type.name}`).join(', ')}${found.isCut ? ' (cut)' : ''}`,
    )
  }
const mean = ratios.reduce((sum, each) => sum + each, 0) / ratios.length
console.log(
  `mean ${mean.toFixed(3)}, worst ${Math.max(...ratios).toFixed(3)}, slowest ${worstMs.toFixed(0)} ms, ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`,
)

console.log('with spread over hosts and zones, volumes bound to zones, tainted nodes and accelerators')
const ruled: number[] = []
for (const { name, trace, scale, replicas } of kinds)
  for (const count of process.argv[2]?.split(',').map(Number) ?? [300, 1000, 5000, 20_000]) {
    let [usd, bound, ms] = [0, 0, 0]
    for (const { groups, pools } of withPlacement(podsOf(trace, count, scale, replicas))) {
      const everywhere = { cores: 0.25, gib: 0.4, pods: 5 }
      const limits = { headroom: 0.1, minNodes: 3, maxPools: 3 }
      const rules = { zones: ['a', 'b', 'c'], spotShare: 0, splitsArm: false }
      const start = performance.now()
      usd += run(planParts({ groups, everywhere }, rules, limits, () => pools))?.perMonthUsd ?? Number.NaN
      ms += performance.now() - start
      const own = pools.map(({ type }) => type)
      bound += lowerBoundUsd(groups, own, { ...limits, everywhere }, boundSteps)
    }
    ruled.push(usd / bound)
    console.log(`${name}, ${count}: ${(usd / bound).toFixed(3)} | ${ms.toFixed(0)} ms`)
  }
console.log(
  `mean ${(ruled.reduce((sum, each) => sum + each, 0) / ruled.length).toFixed(3)}, worst ${Math.max(...ruled).toFixed(3)}`,
)

function poolsLike(instanceType: string) {
  const [first] = market.catalogue
    .offersOf({ ...place, instanceType, operatingSystem: 'Linux' })
    .filter(({ usageType }: Offer) => usageType === 'ONDEMAND')
  return candidatePools(market, [first!], sizes, { place })
}

/**
 * A tenth of the workloads needs nodes with a taint, a tenth is bound to a zone, a fifth spreads over zones, a tenth over hosts, and a
 * fiftieth needs GPUs.
 */
function withPlacement(groups: readonly PodGroup[]) {
  const classOf = (_: PodGroup, index: number) =>
    index % 50 === 25 ? 'accelerated' : index % 10 === 0 ? 'tainted' : 'general'
  const placed = groups.map((group, index): PodGroup => {
    if (classOf(group, index) === 'accelerated') return { ...group, gpus: 1, cores: 2, gib: 8 }
    if (index % 10 === 1) return { ...group, zone: 'abc'[index % 3]! }
    if (index % 10 === 2 || index % 10 === 3) return { ...group, isSpreadOverZones: true }
    return index % 10 === 4 ? { ...group, hostSkew: 1 } : group
  })
  return [...Map.groupBy(placed.entries(), ([index, group]) => classOf(group, index))].map(
    ([kind, members]) => ({
      groups: members.map(([, group]) => group),
      pools: kind === 'accelerated' ? accelerated : general,
    }),
  )
}

/** Workloads whose pods have the 95th percentile of CPU and the maximum of memory of a series, times a scale. */
function podsOf(
  { cpuCores, memoryGib, series, days }: Trace,
  pods: number,
  scale: number,
  [fewest, most]: readonly [number, number],
): PodGroup[] {
  const groups: PodGroup[] = []
  const length = days * samplesPerDay
  const sizes = Array.from({ length: series }, (_, one) => {
    const [from, to] = [one * length, (one + 1) * length]
    const cpu = cpuCores.subarray(from, to).filter(Number.isFinite).sort()
    const memory = memoryGib!.subarray(from, to).filter(Number.isFinite)
    return {
      cpu: cpu[Math.floor(0.95 * cpu.length)] ?? 0,
      memory: memory.reduce((a, b) => Math.max(a, b), 0),
    }
  })
  let left = pods
  for (let index = 0; left > 0; index++) {
    const { cpu, memory } = sizes[index % series]!
    // Each time that the series are used again they are scaled a little, so that sizes differ.
    const again = scale * (1 + 0.13 * Math.floor(index / series))
    const cores = Math.max(0.01, Math.ceil(100 * again * cpu) / 100)
    const gib = Math.max(0.0625, Math.ceil(16 * again * memory) / 16)
    const count = Math.min(left, fewest + ((index * 7) % (most - fewest + 1)))
    left -= count
    groups.push({ name: `w${index}`, cores, gib, count, perNode: Math.max(1, Math.ceil(count / 3)) })
  }
  return groups
}

function autoscalerUsd(groups: readonly PodGroup[], rules: PoolRules): number {
  const large = types.find(({ name }) => name === 'm5.8xlarge')!
  const byPrice = types.toSorted((a, b) => a.perMonthUsd - b.perMonthUsd)
  const holder = (node: PackedNode): NodeType =>
    byPrice.find((type) => {
      const other = emptyNode(type, rules)
      return node.placed.every(({ group, count }) => placeOn(other, group, count) === count)
    })!
  const nodes: PackedNode[] = []
  for (const group of largestFirst(groups, allocatableOn(large, rules))) {
    let { count } = group
    for (const node of nodes) if (count > 0) count -= placeOn(node, group, count)
    while (count > 0) {
      const node = emptyNode(large, rules)
      let placed = placeOn(node, group, count)
      if (placed === 0) {
        const larger = emptyNode(
          byPrice.find((type) => placeOn(emptyNode(type, rules), group, 1) === 1)!,
          rules,
        )
        placed = placeOn(larger, group, count)
        nodes.push(larger)
      } else nodes.push(node)
      count -= placed
    }
  }
  // The headroom comes from empty nodes, as it does from placeholder pods.
  const usd = nodes.reduce((sum, node) => sum + holder(node).perMonthUsd, 0)
  return usd / (1 - rules.headroom)
}

function run<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value as Result
  }
}
