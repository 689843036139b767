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

/** What somebody who knows the provider would say, by machine. */
const machines: readonly (readonly [machine: string, said: string])[] = [
  ['aws us-east-1 m5.xlarge', 'm6a or m7a; commit if it stays for a year'],
  ['aws us-east-1 t3.large', 't3a only if the slower cores are enough; t4g if Arm is possible'],
  ['aws us-east-1 c5.2xlarge', 'c6a'],
  ['aws us-east-1 r5.2xlarge', 'r6a'],
  ['aws us-east-1 m4.large', 'm6a, with ENA and NVMe drivers'],
  ['aws us-east-1 i3.2xlarge', 'stay, or pay a little more for i4i'],
  ['aws us-east-1 g4dn.xlarge', 'stay; g6 is another card, to be tested'],
  ['aws eu-central-1 m7i.xlarge', 'm6a; the shared cores of Hetzner only for what may be slow at times'],
  ['aws us-gov-west-1 m5.xlarge', 'stay in the partition; a commitment saves most'],
  ['aws us-east-1 p3.2xlarge', 'nothing else has a V100; test the job on another card'],
  ['azure eastus Standard_D4s_v5', 'D4as_v5'],
  ['azure westeurope Standard_E8s_v3', 'E8as_v5; no new reservation of v3 can be bought'],
  ['azure westeurope Standard_B2ms', 'B2as_v2'],
  ['azure eastus Standard_F8s_v2', 'D8als_v7, with a generation 2 image'],
  ['azure eastus Standard_NC24ads_A100_v4', 'stay; look for capacity elsewhere by hand'],
  ['gcp us-central1 n1-standard-4', 'stay or e2; sustained use makes n1 cheap'],
  ['gcp europe-west3 n2-standard-8', 'n2d or e2 where slower cores are enough'],
  ['gcp us-central1 e2-medium', 'stay; commit'],
  ['digitalocean fra1 g-4vcpu-16gb', 'shared cores only if it is not busy'],
  ['hetzner fsn1 ccx33', 'cx53 only if it is not busy'],
  ['azure eastus Standard_ND96isr_H100_v5', 'first whether the job needs InfiniBand; without it, p5'],
  ['azure eastus Standard_E16-4s_v5', 'FX8-4ms_v2 keeps the licences; never more vCPUs'],
  ['aws us-west-2 i4i.xlarge', 'stay: i3 is older and slower for 9%'],
  ['gcp us-central1 n2-custom-4-10240', 'n2d-standard-4: more memory and faster for less'],
  ['digitalocean fra1 s-8vcpu-16gb', 'stay unless it can move to another provider'],
]
const use = 0.6
const { deps } = await shippedPricing()
const day = new Date().toISOString().slice(0, 10)

console.log(
  '| machine | per hour | resize | region | provider | commit | spot | ranked by CoreMark per dollar, worldwide | what an expert would say |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
for (const [machine, said] of machines) {
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
  console.log(
    `| ${machine} | $${comparison.current.cost_per_hour} | ${options.join(' | ')} | ${ranked} | ${said} |`,
  )
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
