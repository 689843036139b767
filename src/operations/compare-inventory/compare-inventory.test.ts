import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderInventory } from '../../cli/render/inventory.ts'
import type { InventoryMachine } from '../../domain/inventory.ts'
import { openTestMarket, type TestMarket } from '../../market/test-market.case.ts'
import { compareInventory } from './compare-inventory.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const machine = (id: string, instanceType: string): InventoryMachine => ({
  ...{ id, name: id, provider: 'aws', region: 'us-east-1', zone: '', instanceType },
  ...{ operatingSystem: 'Linux', usageType: 'ONDEMAND' },
})

test('a type that has ended is said to have', async () => {
  const items = [machine('old', 'p3.2xlarge'), machine('web', 'm5.xlarge')]
  const compared = await compareInventory(fixture.pricing, 'acme', items, '2026-11-15')
  expect(compared.machines.map(({ id, notes }) => [id, notes])).toEqual(
    expect.arrayContaining([
      ['old', ['The type p3.2xlarge is retired.']],
      ['web', []],
    ]),
  )
  expect(renderInventory(compared)).toMatch(/Notes:\n {2}old {2}The type p3\.2xlarge is retired\./)
})

test('candidates of what nothing is named are refused', async () => {
  const asked = compareInventory(fixture.pricing, 'acme', [machine('web', 'm5.xlarge')], '2026-11-15', [], {
    providers: ['foo'],
    regions: ['mars'],
  })
  await expect(asked).rejects.toMatchObject({
    code: 'invalid',
    errors: [{ pointer: '/predicates/providers/0' }, { pointer: '/predicates/regions/0' }],
  })
})
