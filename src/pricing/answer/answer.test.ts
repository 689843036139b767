import { expect, test } from 'vitest'
import { offer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import { baseOffer } from '../current-offer.ts'
import { buildResult, type OfferFacts, rawPricingData } from './answer.ts'
import { resultJson } from './encode-answer.ts'

const facts: OfferFacts = { displayName: (o) => o.provider.toUpperCase(), ratesOf: () => null }
const vm = { vcpus: 2, ramGib: 8 }
const found = (instanceType: string, ...offers: Partial<Offer>[]) => ({
  instanceType,
  offers: offers.map((over) => offer({ instanceType, ...over })),
})
const current = offer({ instanceType: 'now', pricePerHourUsd: 0.073981, vcpus: 2, ramGib: 8 })
const textOf = (types: string[]) =>
  resultJson(
    buildResult(
      current,
      vm,
      types.map((t) => found(t, {})),
      facts,
    ),
  )

test('the contract: names, order, letter case', () => {
  const text = resultJson(buildResult(current, vm, [found('n.small', { zone: 'n-1a' })], facts))
  const at = (type: string, core: number, gib: number, usd: number, zone: string) =>
    `"instance_pricing":{"cpu_cores_cost_per_hour":${core},"ram_gb_cost_per_hour":${gib},"cost_per_hour":${usd},` +
    `"usage_type":"ONDEMAND","instance_type":"${type}","region":"n-1","provider":"NORTH","service":"NorthCompute",` +
    `"operating_system":"Linux","availability_zone":"${zone}"}`
  const saved = (a: number, b: number, c: number, d: number) =>
    `"savings":{"percentage":${a},"amount_per_hour":${b},"amount_per_month":${c},"amount_per_year":${d}}`
  expect(text).toBe(
    `{"base":[{${at('now', 0.024124, 0.003217, 0.073981, '')},"vm":null,${saved(0, 0, 0, 0)}}],` +
      `"n.small":[{${at('n.small', 0.024671, 0.003289, 0.0625, 'n-1a')},"vm":{"cpu_cores":2,"ram_gb":4},` +
      `${saved(15.519, 0.011481, 8.381, 100.574)}}]}`,
  )
})

test.each([
  [['4', '1', 'x']],
  [['__proto__', 'constructor', 'toString']],
  [['"quoted"', 'line\nbreak', '\u2028', '𝕏']],
])('labels %j follow base unchanged', (types) => {
  const text = textOf(types)
  const labels = [...text.matchAll(/("(?:[^"\\]|\\.)*"):\[/g)].map((match) => JSON.parse(match[1]!))
  expect(labels).toEqual(['base', ...types])
  expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(['base', ...types].toSorted())
})

test('an offer without savings or of unknown size is not recommended', () => {
  const answer = buildResult(
    current,
    vm,
    [
      found('dear', { pricePerHourUsd: 0.08 }),
      found('hardly', { pricePerHourUsd: 0.0739809999 }),
      found('broken', { pricePerHourUsd: Number.NaN }, { pricePerHourUsd: -1 }),
      found('sizeless', { vcpus: null }),
      found('mixed', {}, { ramGib: null }),
    ],
    facts,
  )
  expect(answer.map(([label, items]) => [label, items.length])).toEqual([
    ['base', 1],
    ['mixed', 1],
  ])
})

test("the caller's size is used if the list has none", () => {
  const sizeless = { ...current, vcpus: null, ramGib: null, pricePerHourUsd: 0.0625 }
  const answer = buildResult(sizeless, { vcpus: 2, ramGib: 4 }, [], facts)
  expect(answer[0]![1][0]!.instance_pricing).toMatchObject({
    cpu_cores_cost_per_hour: 0.024671,
    ram_gb_cost_per_hour: 0.003289,
  })
})

test('metadata is added to each item and changes nothing else', () => {
  const types = [
    found('a', { gpuCount: 1, gpuName: 'T4', usageType: 'RESERVED', term: '1y', skuIds: ['sku'] }),
    found('b', {}),
  ]
  const machine = {
    ...{
      accelerator_kind: null,
      vcpu_kind: null,
      kinds: [],
      generation: 'current' as const,
      ends_on: null,
      speed: null,
    },
    processor: null,
    local_disk: null,
    network: null,
    spot_interruption: null,
    carbon: null,
  }
  const rawOf = (o: Offer) =>
    rawPricingData(o, machine, 'list', o.instanceType === 'b' ? { mine: 1 } : undefined)
  const plain = buildResult(current, vm, types, facts)
  const rich = buildResult(current, vm, types, { ...facts, rawOf })
  expect(rich[1]![1][0]!.instance_pricing.raw_pricing_data).toEqual({
    term: '1y',
    architecture: 'x86_64',
    gpu: { count: 1, name: 'T4' },
    burstable_baseline: null,
    monthly_cap: null,
    sku_ids: ['sku'],
    source: 'list',
    day: '2026-11-01',
    price_source: 'list',
    ...machine,
  })
  expect(rich[2]![1][0]!.instance_pricing.raw_pricing_data).toMatchObject({ registered: { mine: 1 } })
  const stripped = JSON.parse(resultJson(rich), (key, value) =>
    key === 'raw_pricing_data' ? undefined : value,
  )
  expect(stripped).toEqual(JSON.parse(resultJson(plain)))
})

test('base rates price a machine without a cloud', () => {
  const place = { ...current, zone: 'rack 4', usageType: 'ONDEMAND' as const }
  expect(baseOffer(place, { vcpus: 4, ramGib: 16 })).toMatchObject({
    pricePerHourUsd: 0.194236,
    zone: 'rack 4',
  })
})
