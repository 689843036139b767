import { useMutation } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { demo } from '../api/demo.ts'
import { CopyText } from '../parts/copy.tsx'
import { csvOf } from '../parts/csv.ts'
import { Icon } from '../parts/icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Trouble } from '../parts/states.tsx'
import { useSignal } from '../state/signal.ts'

/** How rules and commitments are learnt from a bill. The demo has one to try it with. */
export function LearnPrices() {
  const isDemo = useSignal(demo.key) !== undefined
  const save = useMutation({
    mutationFn: async () => saveFile('demo-bill.csv', await demoBill(), 'text/csv'),
  })
  return (
    <details className="learn-prices">
      <summary>Learn them from a bill</summary>
      <p className="note">
        The command finds the fewest rules and the commitments that explain a bill in FOCUS or CUR format, and
        shows what they would change. The bill stays on your machine. With --accept they are set here.
      </p>
      <CopyText
        text={`cheapside prices learn ${isDemo ? 'demo-bill' : 'bill'}.csv --server ${location.origin}`}
      />
      {isDemo && (
        <button type="button" className="button" disabled={save.isPending} onClick={() => save.mutate()}>
          <Icon name="download" size={16} /> A bill of the demo
        </button>
      )}
      {save.error !== null && <Trouble error={save.error} />}
    </details>
  )
}

/** What the made bill takes off list prices. */
const discount = 0.09
const billDays = 30
const dayMs = 86_400_000

/** A month of the demo's nodes and machines as FOCUS lines, with a discount that a rule explains. */
async function demoBill(): Promise<string> {
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
  ].filter((row) => row.price_source === 'list' && row.hourly !== null)
  const first = (Math.floor(Date.now() / dayMs) - billDays) * dayMs
  const rows = Array.from({ length: billDays }, (_, day) => new Date(first + day * dayMs).toISOString())
    .flatMap((start) => running.map((row) => ({ start, ...row })))
    .map(({ start, provider, region, instance_type, hourly, count }) => {
      const cost = 24 * count * hourly! * (1 - discount)
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
