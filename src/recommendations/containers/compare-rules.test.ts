import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestMarket, type TestMarket } from '../../pricing/test-market.case.ts'
import { firstHour } from '../../usage/reading/pods.case.ts'
import { compareRules } from './compare-rules.ts'
import { type OrganisationRules, setSizingRules } from './organisation-rules.ts'
import { depsAt, storePods } from './test-namespaces.case.ts'

let fixture: TestMarket
const days = 14
const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: null, source: 'base' } as const
const sizes = { cpuRequest: 2, memoryRequest: 4, cores: 0.3, gib: 1 }

beforeAll(async () => {
  fixture = await openTestMarket()
  const pods = ['api', 'worker'].map((name) => ({
    ...sizes,
    pod: `${name}-1`,
    workload: `Deployment/${name}`,
    image: `ghcr.io/shop/${name}`,
  }))
  await storePods(fixture.store, 'acme', pods, days)
})
afterAll(() => fixture.close())

const compare = (rules: Parameters<typeof compareRules>[2]) =>
  compareRules(
    depsAt(fixture.store, firstHour + days * 24, price),
    'acme',
    rules,
    new AbortController().signal,
  )

test('compares what is recommended now with what rules would recommend, without storing them', async () => {
  const none = await compare([])
  expect([none.containers, none.largest, none.unmatched_rules]).toEqual([0, [], []])
  expect(none.cost_per_month.after).toBe(none.cost_per_month.before)

  const excluded = await compare([{ workload: 'api', exclude: true }])
  expect(excluded.containers).toBe(1)
  // The second applies, although the third overrides all that it sets.
  const overlapping = [{ namespace: 'shpo', min_cpu: 1 }, { min_cpu: 1 }, { min_cpu: 3 }]
  expect((await compare(overlapping)).unmatched_rules).toEqual([1])
  expect(excluded.largest).toMatchObject([
    { cluster: 'c', namespace: 'shop', workload: 'Deployment/api', after: { cpu_cores: 2, memory_gib: 4 } },
  ])
  expect((await compare([{ image: '*/api', exclude: true }])).largest).toEqual(excluded.largest)
  const [{ before, cost_per_month: cost }] = excluded.largest as [(typeof excluded.largest)[number]]
  // As much more a month as the container would keep: 730 hours of cores and GiB.
  const kept = 730 * ((2 - before.cpu_cores!) * 0.03 + (4 - before.memory_gib!) * 0.004)
  expect(cost.after - cost.before).toBeCloseTo(kept, 1)
  expect(excluded.cost_per_month.after - excluded.cost_per_month.before).toBeCloseTo(kept, 1)
  expect(excluded.cpu_request_cores.after - excluded.cpu_request_cores.before).toBeCloseTo(
    2 - before.cpu_cores!,
    6,
  )
  await setSizingRules({ store: fixture.store }, 'acme', [{ workload: 'api', exclude: true }])
  expect((await compare([])).largest).toMatchObject([{ before: { cpu_cores: 2 }, after: before }])
  expect((await compare([{ workload: 'api', profile: 'safe' }])).containers).toBe(1)
})

test('rules that contradict themselves are refused', async () => {
  const pointers = async (rule: Record<string, unknown>): Promise<unknown> => {
    const answer: Promise<OrganisationRules> = setSizingRules({ store: fixture.store }, 'acme', [rule])
    return answer.then(
      () => [],
      (error) => error.errors.map(({ pointer }: { pointer: string }) => pointer),
    )
  }
  expect(await pointers({ workload: 'x' })).toEqual(['/rules/0'])
  expect(await pointers({ profile: 'cost', risk: 0.1 })).toEqual(['/rules/0/risk'])
  expect(await pointers({ profile: 'bold' })).toEqual(['/rules/0/profile'])
  expect(await pointers({ qos: 'best' })).toEqual(['/rules/0/qos'])
  expect(await pointers({ qos: 'guaranteed', limits: 'none' })).toEqual(['/rules/0/limits'])
  expect(await pointers({ labels: { team: '' }, risk: 2 })).toEqual(['/rules/0/team', '/rules/0/risk'])
})
