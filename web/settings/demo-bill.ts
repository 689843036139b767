import { answer, service } from '../api/client.ts'
import { csvOf } from '../parts/csv.ts'

/** What the bill takes off list prices. Prices that follow rules already are billed as they are. */
const discount = 0.09
const billDays = 30
const dayMs = 86_400_000

/** A month of the demo's nodes and machines as FOCUS lines, with a discount that a rule explains or already gives. */
export async function demoBill(): Promise<string> {
  const [clusters, machines] = await Promise.all([
    answer(service.GET('/v1/cluster_recommendations')),
    answer(service.GET('/v1/vm_metadata')),
  ])
  const running = [
    ...clusters.flatMap(({ nodes }) => nodes.map((node) => ({ ...node, hourly: node.cost_per_hour }))),
    ...machines.map((machine) => ({
      provider: machine.provider,
      region: machine.region,
      instance_type: machine.instanceType,
      price_source: machine.priceSource,
      hourly: machine.costPerHour,
      count: 1,
    })),
  ].filter(({ price_source, hourly }) => ['list', 'rule'].includes(price_source) && hourly !== null)
  const first = (Math.floor(Date.now() / dayMs) - billDays) * dayMs
  const rows = Array.from({ length: billDays }, (_, day) => new Date(first + day * dayMs).toISOString())
    .flatMap((start) => running.map((row) => ({ start, ...row })))
    .map(({ start, provider, region, instance_type, price_source, hourly, count }) => {
      const cost = 24 * count * hourly! * (price_source === 'rule' ? 1 : 1 - discount)
      const described = `$${hourly} per On Demand Linux ${instance_type} Instance Hour`
      const usage = ['Usage', 'Standard', 'Hrs', 24 * count, described]
      return [start, provider, provider, region, ...usage, cost, cost, cost, 'USD']
    })
  return csvOf(header, rows)
}

const header = [
  ...['ChargePeriodStart', 'ServiceProviderName', 'PublisherName', 'RegionId', 'ChargeCategory'],
  ...['PricingCategory', 'PricingUnit', 'PricingQuantity', 'ChargeDescription', 'ContractedCost'],
  ...['EffectiveCost', 'BilledCost', 'BillingCurrency'],
]
