import type { InventoryMachine } from '../../domain/inventory.ts'
import { roundHourly, roundSum } from '../../domain/money.ts'
import { dayOf } from '../../domain/time.ts'
import { readEntities } from '../../usage/digest/entities.ts'
import { compareInventory } from '../inventory/compare-inventory.ts'
import { type Market, marketOf, type PricingDeps } from '../market.ts'
import type { NodePriceDeps } from '../price-node.ts'
import { describeNode } from '../price-node.ts'
import { type MachinePrice, priceMachine } from '../reported-machine.ts'
import type { InstanceDescription } from '../request/request.ts'
import type { RuledPriceCache } from './ruled-prices.ts'
import type { ChangedComparison, ChangedMachines, PriceRuleInput, PriceRulesPreview } from './schema.ts'
import { checkPriceRules } from './store-rules.ts'

export interface PreviewDeps extends PricingDeps {
  readonly store: { readonly usage: NodePriceDeps['usage'] }
  readonly ruledPrices: RuledPriceCache
  now(): number
}

const maxMachinesListed = 200
const maxCompared = 20

interface MachineKind {
  readonly described: Omit<InventoryMachine, 'id' | 'name'> | undefined
  readonly before: MachinePrice
  readonly after: MachinePrice
  readonly names: string[]
}

export async function previewPriceRules(
  deps: PreviewDeps,
  organisation: string,
  inputs: readonly PriceRuleInput[],
): Promise<PriceRulesPreview> {
  const rules = checkPriceRules(inputs)
  const before = await marketOf(deps, organisation)
  const ruled = await deps.ruledPrices.preview(rules)
  const after: Market = { ...before, catalogue: ruled.catalogue, ruled }
  const kinds = await kindsOf(deps, organisation, before, after)
  kinds.sort((a, b) => monthOf(b, 'before') - monthOf(a, 'before'))
  const changed = kinds.filter((kind) => kind.before.perHourUsd !== kind.after.perHourUsd)
  const sum = (of: 'before' | 'after') =>
    roundSum(kinds.reduce((total, kind) => total + monthOf(kind, of), 0))
  return {
    machines: kinds.reduce((count, { names }) => count + names.length, 0),
    changed_machines: changed.reduce((count, { names }) => count + names.length, 0),
    cost_per_month: { before: sum('before'), after: sum('after') },
    changes: changed.slice(0, maxMachinesListed).map(viewChange),
    comparisons: await changedComparisons(deps, organisation, before, after, kinds),
  }
}

async function kindsOf(deps: PreviewDeps, organisation: string, before: Market, after: Market) {
  const machines = await readEntities(deps.store.usage, organisation, { kinds: ['node', 'machine'] })
  const kinds = new Map<string, MachineKind>()
  for (const machine of machines.values()) {
    const described = describeNode(deps, before, machine)
    const { cluster, name } = machine.ref
    const key = JSON.stringify(described ?? [cluster, name])
    const kind = kinds.getOrInsertComputed(key, () => ({
      described: described && machineOf(described),
      before: priceMachine(deps, before, machine),
      after: priceMachine(deps, after, machine),
      names: [],
    }))
    kind.names.push(cluster === '' ? name : `${cluster}/${name}`)
  }
  return [...kinds.values()]
}

const machineOf = (described: InstanceDescription): MachineKind['described'] => ({
  provider: described.provider,
  region: described.region,
  zone: described.availability_zone ?? '',
  instanceType: described.instance_type,
  operatingSystem: described.operating_system,
  usageType: described.usage_type,
})

const monthOf = ({ names, ...kind }: MachineKind, of: 'before' | 'after'): number =>
  names.length * (kind[of].perMonthUsd ?? 0)

function viewChange({ described, before, after, names }: MachineKind): ChangedMachines {
  const priceOf = ({ perHourUsd, source, priceRules = [] }: MachinePrice) => ({
    cost_per_hour: perHourUsd === null ? null : roundHourly(perHourUsd),
    price_source: source,
    price_rules: priceRules,
  })
  return {
    machines: names.slice(0, maxNamesListed),
    count: names.length,
    provider: described?.provider ?? null,
    region: described?.region ?? null,
    instance_type: described?.instanceType ?? null,
    before: priceOf(before),
    after: priceOf(after),
    difference_per_month: roundSum(names.length * ((after.perMonthUsd ?? 0) - (before.perMonthUsd ?? 0))),
  }
}

const maxNamesListed = 10

async function changedComparisons(
  deps: PreviewDeps,
  organisation: string,
  before: Market,
  after: Market,
  kinds: readonly MachineKind[],
): Promise<ChangedComparison[]> {
  const items = kinds
    .slice(0, maxCompared)
    .flatMap(({ described, names }, index): InventoryMachine[] =>
      described === undefined ? [] : [{ ...described, id: String(index), name: names[0]! }],
    )
  const compare = ({ own, ruled }: Market) =>
    compareInventory({ ...deps, own: () => own, ruled: () => ruled }, organisation, items, dayOf(deps.now()))
  const [old, next] = [await compare(before), await compare(after)]
  const nextById = new Map(next.machines.map((machine) => [machine.id, machine]))
  return old.machines.flatMap((machine) => {
    const [was, is] = [bestOf(machine), bestOf(nextById.get(machine.id))]
    const { provider, region, instance_type } = machine.current
    return JSON.stringify(was) === JSON.stringify(is)
      ? []
      : [
          {
            provider,
            region,
            instance_type,
            count: kinds[Number(machine.id)]!.names.length,
            before: was,
            after: is,
          },
        ]
  })
}

type Compared = Awaited<ReturnType<typeof compareInventory>>['machines'][number]

const bestOf = (machine: Compared | undefined): ChangedComparison['before'] =>
  machine?.cheapest == null
    ? null
    : {
        provider: machine.cheapest.provider,
        region: machine.cheapest.region,
        instance_type: machine.cheapest.instance_type,
        usage_type: machine.cheapest.usage_type,
        cost_per_hour: machine.cheapest.cost_per_hour,
        cost_per_month: machine.cheapest.cost_per_month,
        savings_per_month: machine.savings_per_month,
      }
