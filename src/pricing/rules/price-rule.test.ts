import { expect, test } from 'vitest'
import type { FieldError } from '../../domain/problem.ts'
import { findProvider, providers } from '../../providers/providers.ts'
import { parsePriceRules } from './parse-rules.ts'
import { applyRules, type RuleSubject } from './price-rule.ts'
import type { PriceRuleInput } from './schema.ts'

const names = { providers, findProvider }

const machine: RuleSubject = {
  provider: 'aws',
  region: 'us-east-1',
  family: 'm7a',
  instanceType: 'm7a.xlarge',
  usageType: 'ONDEMAND',
  operatingSystem: 'Linux',
  pricePerHourUsd: 0.23184,
  monthlyCapUsd: null,
}

function check(rules: readonly PriceRuleInput[], offer: Partial<RuleSubject>, day = '2026-06-01') {
  const errors: FieldError[] = []
  const parsed = parsePriceRules(rules, names, errors)
  expect(errors).toEqual([])
  return applyRules(parsed, { ...machine, ...offer }, day)
}

const edp: PriceRuleInput = { name: 'EDP', provider: 'Amazon', percent_off: 9, valid_until: '2026-12-31' }
const azure: PriceRuleInput = {
  name: 'MACC',
  provider: 'azure',
  instance_type: 'Standard_D*s_v5',
  usage_type: 'on-demand',
  percent_off: 15,
}
const flat: PriceRuleInput = {
  name: 'GCP flat rate',
  provider: 'gcp',
  region: 'europe-*',
  instance_type: 'n2-standard-4',
  price_per_hour_usd: 0.15,
}
const support: PriceRuleInput = { name: 'Support', percent_off: -3 }
const fee: PriceRuleInput = { name: 'Agent licence', operating_system: 'linux', add_per_hour_usd: 0.01 }
const all = [edp, azure, flat, support, fee]

test.each<[string, Partial<RuleSubject>, number, string[]]>([
  // 0.23184 x 0.91 = 0.2109744; x 1.03 = 0.217303632; + 0.01
  ['an EDP of 9%, then support and a fee', {}, 0.227303632, ['EDP', 'Support', 'Agent licence']],
  // 0.192 x 0.85 = 0.1632; x 1.03 = 0.168096; Windows has no fee
  [
    'an Azure agreement for a family of sizes',
    {
      provider: 'azure',
      instanceType: 'Standard_D4s_v5',
      operatingSystem: 'Windows',
      pricePerHourUsd: 0.192,
    },
    0.168096,
    ['MACC', 'Support'],
  ],
  [
    'an Azure size outside the agreement',
    { provider: 'azure', instanceType: 'Standard_E4s_v5', operatingSystem: 'Windows', pricePerHourUsd: 0.2 },
    0.206,
    ['Support'],
  ],
  [
    'spot prices outside the agreement',
    {
      provider: 'azure',
      instanceType: 'Standard_D4s_v5',
      usageType: 'SPOT_PREEMPTIBLE',
      pricePerHourUsd: 0.1,
    },
    0.113,
    ['Support', 'Agent licence'],
  ],
  // 0.15 x 1.03 = 0.1545; + 0.01, whatever the list price was
  [
    'a GCP flat rate',
    { provider: 'gcp', region: 'europe-west1', instanceType: 'n2-standard-4', pricePerHourUsd: 0.2137 },
    0.1645,
    ['GCP flat rate', 'Support', 'Agent licence'],
  ],
])('%s', (_, offer, pricePerHourUsd, rules) => {
  expect(check(all, offer)).toEqual({ pricePerHourUsd, monthlyCapUsd: null, rules })
})

test('the order of rules counts', () => {
  const half: PriceRuleInput = { name: 'half', percent_off: 50 }
  const plus: PriceRuleInput = { name: 'plus', add_per_hour_usd: 1 }
  expect(check([half, plus], { pricePerHourUsd: 1 }).pricePerHourUsd).toBe(1.5)
  expect(check([plus, half], { pricePerHourUsd: 1 }).pricePerHourUsd).toBe(1)
})

test('a rule applies from its first to its last day', () => {
  const rule = { ...edp, valid_from: '2026-03-01', valid_until: '2026-03-31' }
  const applied = (day: string) => check([rule], {}, day).rules.length
  expect(['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'].map(applied)).toEqual([0, 1, 1, 0])
})

test('a price never falls below zero', () => {
  expect(check([{ name: 'credit', add_per_hour_usd: -1 }], {}).pricePerHourUsd).toBe(0)
  expect(check([{ name: 'free', percent_off: 100 }], {}).pricePerHourUsd).toBe(0)
})

test('however many surcharges there are, a price stays a number that can be added up', () => {
  const surcharges = Array.from({ length: 200 }, (_, index) => ({ name: `s${index}`, percent_off: -1000 }))
  const { pricePerHourUsd, monthlyCapUsd } = check(surcharges, { pricePerHourUsd: 1, monthlyCapUsd: 600 })
  expect([pricePerHourUsd, monthlyCapUsd]).toEqual([1e6, 730e6])
})

test.each<[Partial<PriceRuleInput>, string]>([
  [{}, '/rules/0'],
  [{ percent_off: 9, add_per_hour_usd: 1 }, '/rules/0'],
  [{ percent_off: 9, provider: 'nimbus' }, '/rules/0/provider'],
  [{ percent_off: 9, usage_type: 'weekly' }, '/rules/0/usage_type'],
  [{ percent_off: 9, operating_system: 'BeOS' }, '/rules/0/operating_system'],
  [{ percent_off: 9, valid_from: '2026-02-30' }, '/rules/0/valid_from'],
  [{ percent_off: 9, valid_from: '2026-03-01', valid_until: '2026-02-01' }, '/rules/0/valid_until'],
])('%j is refused', (input, pointer) => {
  const errors: FieldError[] = []
  expect(parsePriceRules([{ name: 'x', ...input }], names, errors)).toEqual([])
  expect(errors.map((error) => error.pointer)).toEqual([pointer])
})

test('two rules cannot have one name', () => {
  const errors: FieldError[] = []
  parsePriceRules([edp, edp], names, errors)
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/rules/1/name'])
})

test('the cap of a month follows the price', () => {
  const capped = { pricePerHourUsd: 0.01, monthlyCapUsd: 6 }
  const cap = (rule: Omit<PriceRuleInput, 'name'>) => check([{ name: 'x', ...rule }], capped).monthlyCapUsd
  expect(cap({ percent_off: 10 })).toBe(5.4)
  expect(cap({ add_per_hour_usd: 0.001 })).toBe(6.73)
  expect(cap({ price_per_hour_usd: 0.005 })).toBeNull()
})
