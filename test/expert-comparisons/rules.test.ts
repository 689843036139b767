import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SuccessorsFile } from '../../src/catalogue/shipped-facts.ts'
import { orProblem } from '../../src/domain/not-found.ts'
import { compareMachine } from '../../src/pricing/compare/compare-machine.ts'
import { recommendOffers } from '../../src/pricing/recommend-offers.ts'
import { completeRequest, type PartialRequest } from '../../src/pricing/request/complete-request.ts'
import { shippedPricing } from './pricing-fixture.ts'

const { deps } = await shippedPricing()

const described = (machine: string): PartialRequest => {
  const [provider, region, instance_type, usage_type = 'ondemand'] = machine.split(' ') as [
    string,
    string,
    string,
  ]
  return { provider, region, instance_type, usage_type }
}

const compare = async (machine: string, over: Partial<PartialRequest> = {}) =>
  orProblem(await compareMachine(deps, 'nobody', { ...described(machine), ...over }, '2026-11-18'))

/** Returns the offers of POST /recommendations in their order. */
async function offersFor(machine: string, over: Partial<PartialRequest> = {}) {
  const request = orProblem(
    await completeRequest(deps, 'nobody', { ...described(machine), limit: 200, ...over }),
  )
  const [, ...groups] = orProblem(await recommendOffers(deps, 'nobody', request))
  return groups.flatMap(([, items]) => items)
}

test('a machine that is not sold in a region is no candidate there, and is left out for that reason', async () => {
  const offers = await offersFor('gcp us-south1 n2-standard-8', {
    usage: { cpu_cores: 3, ram_gb: 12 },
    predicates: { regions: ['us-south1'], providers: ['gcp'] },
  })
  expect(offers.length).toBeGreaterThan(0)
  const families = new Set(offers.map(({ instance_pricing: { instance_type: type } }) => type.split('-')[0]))
  for (const family of ['n4d', 'c2d', 'c2', 'n1']) expect(families).not.toContain(family)
  const { left_out } = await compare('gcp us-south1 n2-standard-8')
  expect(left_out.map(({ reason }) => reason)).toContain('not-sold-there')
})

test('a current machine has its price where the tables lack it', async () => {
  const { current } = await compare('gcp southamerica-east1 n4d-standard-4 spot')
  expect(current.cost_per_hour).toBeGreaterThan(0)
  const region = { regions: ['southamerica-east1'], providers: ['gcp'] }
  const offers = await offersFor('gcp southamerica-east1 n2-standard-8', { predicates: region })
  expect(offers.length).toBeGreaterThan(0)
  for (const { instance_pricing: price } of offers) expect(price.instance_type).not.toMatch(/^(n4d|c3d|t2a)-/)
})

test('what can no longer be reserved is priced, but not offered as a reservation', async () => {
  const terms = async (type: string) => {
    const { options } = await compare(`azure polandcentral ${type}`)
    const offers = options.find(({ effort }) => effort === 'commit')?.offers ?? []
    return offers.filter(({ instance_type: name }) => name === type).map(({ term }) => term)
  }
  expect(await terms('Standard_E8s_v3')).toEqual(['1y-savings-plan', '3y-savings-plan'])
  expect(await terms('Standard_D4s_v5')).toEqual(expect.arrayContaining(['1y', '3y']))
  const { current, options } = await compare('azure polandcentral Standard_E8s_v3 reserved')
  expect(current).toMatchObject({ cost_per_hour: 0.357534, term: '1y' })
  expect(current.notes.join()).toContain('saves nothing before the commitment ends')
  for (const { offers } of options)
    for (const { instance_type, term } of offers)
      expect(`${instance_type} ${term}`).not.toMatch(/_[DE]\d+s?_v3 \dy$/)
})

test('nobody moves for less than half a percent and less than ten dollars a month', async () => {
  for (const machine of [
    'aws us-east-1 p4d.24xlarge',
    'aws us-west-2 i4i.xlarge',
    'aws us-east-1 m5.xlarge',
  ]) {
    const { current } = await compare(machine)
    for (const { savings } of await offersFor(machine)) {
      const isShareEnough = savings.amount_per_month >= 0.00499 * current.cost_per_month
      expect(isShareEnough || savings.amount_per_month >= 9.99).toBe(true)
    }
  }
})

test('accelerators that are equal but for InfiniBand are compared and marked, unless it is asked for', async () => {
  const machine = 'azure eastus Standard_ND96isr_H100_v5'
  const regions = { regions: ['*'] }
  const { options } = await compare(machine, { predicates: regions })
  const other = options.flatMap(({ offers }) => offers).find(({ provider }) => provider !== 'Azure')
  expect(other?.machine.changes).toContain('interconnect')
  const strict = await compare(machine, { predicates: { ...regions, interconnects: ['InfiniBand'] } })
  for (const { machine: found } of strict.options.flatMap(({ offers }) => offers))
    expect(found.kinds).toContain('hpc-infiniband')
})

test('shared vCPUs without credits count half, except for a machine that has such vCPUs', async () => {
  const usage = { cpu_cores: 5, ram_gb: 10 }
  const offers = await offersFor('aws eu-central-1 m7i.2xlarge', { usage })
  const isShared = /^(cx|cpx)\d/
  for (const { instance_pricing: price, vm } of offers)
    if (price.provider === 'Hetzner' && isShared.test(price.instance_type))
      expect(vm!.cpu_cores).toBeGreaterThanOrEqual(10)
  const { options } = await compare('digitalocean fra1 s-8vcpu-16gb')
  expect(options.flatMap(({ offers }) => offers).some(({ vm }) => vm!.cpu_cores < 16)).toBe(true)
})

test('an older series of the same name is marked', async () => {
  const usage = { cpu_cores: 1.5, ram_gb: 12 }
  const { options } = await compare('aws us-east-1 i4i.xlarge', {
    usage,
    predicates: { instance_types: ['i3.xlarge'] },
  })
  const changes = options.flatMap(({ offers }) => offers).flatMap(({ machine }) => machine.changes ?? [])
  expect(changes).toContain('previous-generation')
})

test('a machine with constrained vCPUs is not answered first with more of them', async () => {
  const { options } = await compare('azure eastus Standard_E16-4s_v5')
  for (const { effort, offers } of options) {
    if (effort === 'commit') continue
    const wide = offers.map(({ vm }) => vm!.cpu_cores > 4)
    expect(wide).toEqual(wide.toSorted((a, b) => Number(a) - Number(b)))
  }
})

test('where the successor that an expert names is cheaper and large enough, resize has it or something cheaper', async () => {
  const file = new URL('../../catalogue/successors.json', import.meta.url)
  const { successors } = JSON.parse(readFileSync(file, 'utf8')) as SuccessorsFile
  let [cheaper, named, newer] = [0, 0, 0]
  for (const [provider, type, successor] of successors.filter((_, i) => i % 4 === 0)) {
    const region = provider === 'aws' ? 'us-east-1' : 'eastus'
    const comparison = await compareMachine(
      deps,
      'nobody',
      { provider, region, instance_type: type },
      '2026-11-18',
    )
    if (!('current' in comparison)) continue
    const { current, options } = comparison
    if (current.newer_at_same_price !== null) {
      newer++
      expect(current.newer_at_same_price.performance_ratio).toBeGreaterThanOrEqual(1.1)
    }
    const [offer] = deps.catalogue().offersOf({
      provider,
      region,
      instanceType: successor,
      operatingSystem: 'Linux',
      usageType: 'ONDEMAND',
    })
    if (offer === undefined || offer.pricePerHourUsd >= 0.99 * current.cost_per_hour) continue
    cheaper++
    const best = options.find(({ effort }) => effort === 'resize')?.offers ?? []
    if (best.some(({ cost_per_hour: usd }) => usd <= offer.pricePerHourUsd + 1e-6)) named++
  }
  // The others have less memory, another accelerator or a lower baseline, or are retired themselves.
  expect(named / cheaper).toBeGreaterThan(0.8)
  expect(newer).toBeGreaterThan(0)
}, 120_000)
