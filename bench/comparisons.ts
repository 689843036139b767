import { savedPercentOfMonth } from '../src/domain/money.ts'
import { orProblem } from '../src/domain/not-found.ts'
import { compareMachine } from '../src/pricing/compare/compare-machine.ts'
import type { Effort } from '../src/pricing/compare/comparison.ts'
import type { ComparedCandidate, Comparison } from '../src/pricing/compare/schema.ts'
import { listTypes } from '../src/pricing/instance-types/list-types.ts'
import { completeRequest } from '../src/pricing/request/complete-request.ts'
import { shippedPricing } from '../test/expert-comparisons/pricing-fixture.ts'

// Writes the table of docs/comparisons.md: the best option of each effort for twenty-five machines at 60%
// utilisation.
//   node bench/comparisons.ts

const machines = [
  ...[
    'aws us-east-1 m5.xlarge',
    'aws us-east-1 t3.large',
    'aws us-east-1 c5.2xlarge',
    'aws us-east-1 r5.2xlarge',
  ],
  ...[
    'aws us-east-1 m4.large',
    'aws us-east-1 i3.2xlarge',
    'aws us-east-1 g4dn.xlarge',
    'aws eu-central-1 m7i.xlarge',
  ],
  ...['aws us-gov-west-1 m5.xlarge', 'aws us-east-1 p3.2xlarge', 'azure eastus Standard_D4s_v5'],
  ...['azure westeurope Standard_E8s_v3', 'azure westeurope Standard_B2ms', 'azure eastus Standard_F8s_v2'],
  ...[
    'azure eastus Standard_NC24ads_A100_v4',
    'gcp us-central1 n1-standard-4',
    'gcp europe-west3 n2-standard-8',
  ],
  ...['gcp us-central1 e2-medium', 'digitalocean fra1 g-4vcpu-16gb', 'hetzner fsn1 ccx33'],
  ...['azure eastus Standard_ND96isr_H100_v5', 'azure eastus Standard_E16-4s_v5', 'aws us-west-2 i4i.xlarge'],
  ...['gcp us-central1 n2-custom-4-10240', 'digitalocean fra1 s-8vcpu-16gb'],
]
const use = 0.6
const { deps } = await shippedPricing()
const day = new Date().toISOString().slice(0, 10)

console.log(
  '| machine | per hour | resize | region | provider | commit | spot | ranked by CoreMark per dollar, worldwide |',
)
console.log('|---|---|---|---|---|---|---|---|')
for (const machine of machines) {
  const [provider, region, type] = machine.split(' ') as [string, string, string]
  const whole = orProblem(
    await completeRequest(deps, 'nobody', {
      provider,
      region,
      instance_type: type,
      offers_per_type: 1,
    }),
  )
  const usage = { cpu_cores: whole.vm.cpu_cores * use, ram_gb: whole.vm.ram_gb * use }
  const comparison = orProblem(await compareMachine(deps, 'nobody', { ...whole, usage }, day))
  const options = (['resize', 'region', 'provider', 'commit', 'spot'] as const).map((effort) =>
    best(comparison, effort),
  )
  const { types } = await listTypes(deps, 'nobody', {
    min_cores: whole.vm.cpu_cores,
    min_memory_gb: whole.vm.ram_gb,
    sort: 'price_per_speed',
    limit: 1,
  })
  const ranked = types[0] === undefined ? '-' : `${types[0].instance_type} (${types[0].provider})`
  console.log(`| ${machine} | $${comparison.current.cost_per_hour} | ${options.join(' | ')} | ${ranked} |`)
}

function best({ options }: Comparison, effort: Effort): string {
  const offers = options.find((option) => option.effort === effort)?.offers ?? []
  const cheapest = offers.toSorted((a, b) => a.cost_per_hour - b.cost_per_hour)[0]
  return cheapest === undefined ? '-' : textOf(cheapest, effort)
}

function textOf({ instance_type: type, term, machine, ...offer }: ComparedCandidate, effort: Effort): string {
  const where =
    effort === 'region'
      ? ` ${offer.region}`
      : effort === 'provider'
        ? ` ${offer.provider} ${offer.region}`
        : ''
  const speed = machine.performance ? `, ${machine.performance.ratio.toFixed(2)}x` : ''
  const marks = (machine.changes ?? []).filter((change) =>
    /shared|burstable|capped|unknown|slower-cores/.test(change),
  )
  const band = machine.spot_interruption ? ` ${machine.spot_interruption.band}` : ''
  const more = [term ?? '', ...marks.map((mark) => mark.replaceAll('-', ' '))].filter((text) => text !== '')
  return `${type}${where}${band} -${savedPercentOfMonth(offer).toFixed(0)}%${speed}${more.length > 0 ? ` (${more.join(', ')})` : ''}`
}
