import { afterAll, beforeAll, expect, test } from 'vitest'
import { orProblem } from '../../domain/not-found.ts'
import { listTypes } from '../../pricing/instance-types/list-types.ts'
import { showType } from '../../pricing/instance-types/show-type.ts'
import { openTestMarket, type TestMarket } from '../../pricing/test-market.case.ts'
import { renderType, renderTypes } from './types.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

const [fresh, late, tooLate] = ['2026-11-05', '2027-03-01', '2027-12-01']

test('types in a list show the kind of their vCPUs and the day of their price', async () => {
  const { types } = await listTypes(market.pricing, 'acme', { provider: 'aws', q: 't3', limit: 5 })
  const text = renderTypes(types, fresh)
  expect(text).toMatch(/t3\.large +AWS +2 +burstable 30% +8 .*2026-11-01\n/)
  expect(text).toMatch(/t3\.large .* \$0\.083200 +\$60\.74 /)
  expect(text).not.toContain('older than 60 days')
  expect(renderTypes(types, late)).toMatch(/2026-11-01 !\n(.*\n)*! The price is older than 60 days/)
})

test('a type shows its prices with marks, and what changes with cheaper types', async () => {
  const given = { provider: 'aws', instanceType: 'm5.xlarge', region: 'us-east-1' }
  const text = renderType(orProblem(await showType(market.pricing, 'acme', given, late)), late, given.region)
  expect(text).toMatch(/us-east-1 +\$0\.192000 ! +\$0\.121000 ! +\$0\.090000 ! +\$0\.070000 ~ +2026-11-01\n/)
  expect(text).not.toContain('eu-west-1')
  expect(text).toContain('CoreMark 14320 per vCPU (measured)')
  expect(text).toContain('No comparable machine costs less than its on-demand price in us-east-1.')
  const burstable = orProblem(
    await showType(market.pricing, 'acme', { ...given, instanceType: 't3.large' }, late),
  )
  expect(renderType(burstable, late)).toMatch(/provider +s-4vcpu-8gb .* 2026-11-01 ! +shared vCPUs/)
})

test('prices older than a year are marked, in lists and for one type', async () => {
  const warning = '!! The price is older than a year: ask the provider before acting on it.'
  const { types } = await listTypes(market.pricing, 'acme', { provider: 'aws', q: 't3', limit: 5 })
  const list = renderTypes(types, tooLate)
  expect(list).toContain('2026-11-01 !!\n')
  expect(list).toContain(warning)
  const given = { provider: 'aws', instanceType: 't3.large', region: 'us-east-1' }
  const text = renderType(
    orProblem(await showType(market.pricing, 'acme', given, tooLate)),
    tooLate,
    given.region,
  )
  expect(text).toMatch(/us-east-1 +\$\d\.\d+ !! /)
  expect(text).not.toContain('older than 60 days')
  expect(text.split(warning)).toHaveLength(2)
})

test('a region without a price of the type is reported, and its other names are recognised', async () => {
  const given = { provider: 'aws', instanceType: 'm5.xlarge', region: 'mars' }
  const text = renderType(
    orProblem(await showType(market.pricing, 'acme', given, fresh)),
    fresh,
    given.region,
  )
  expect(text).toContain('No price of this type is known in "mars".')
  const named = { provider: 'azure', instanceType: 'Standard_D2s_v5', region: 'East US' }
  const east = renderType(
    orProblem(await showType(market.pricing, 'acme', named, fresh)),
    fresh,
    named.region,
  )
  expect(east).toMatch(/^eastus +\$/m)
})

test('names are accepted in other spellings', async () => {
  const given = { provider: 'azure', instanceType: 'D2s_v5' }
  const type = orProblem(await showType(market.pricing, 'acme', given, fresh))
  expect(type.instance_type).toBe('Standard_D2s_v5')
})
