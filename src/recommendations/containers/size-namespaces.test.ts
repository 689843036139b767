import { expect, test } from 'vitest'
import { usdOf } from '../../costs/allocation/spend.ts'
import type { Store } from '../../store/port.ts'
import { withTestStore } from '../../store/test-store.case.ts'
import { firstHour } from '../../usage/reading/pods.case.ts'
import { viewNamespace } from './answer/view-namespace.case.ts'
import { HourlyUseBudget } from './overfull-nodes.ts'
import { recommendSizes } from './recommend-sizes.case.ts'
import { depsAt, queryUntil, storePods } from './test-namespaces.case.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

/** A node of 4 cores and 16 GiB costs 0.184 an hour. */
const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: 0.184 }

test('spend on an overfull node is limited to its price, with hours kept and with hours read again', async () => {
  const days = 2
  await storePods(
    store,
    'a',
    [
      {
        namespace: 'shop',
        pod: 'web',
        workload: 'Deployment/web',
        cores: 3,
        gib: 2,
        cpuRequest: 1,
        memoryRequest: 2,
      },
      {
        namespace: 'shop',
        pod: 'db',
        workload: 'StatefulSet/db',
        cores: 0.1,
        gib: 9,
        cpuRequest: 3,
        memoryRequest: 8,
        node: 'n2',
      },
      {
        namespace: 'till',
        pod: 'pay',
        workload: 'Deployment/pay',
        cores: 2.7,
        gib: 1,
        cpuRequest: 1,
        memoryRequest: 1,
      },
    ],
    days,
  )
  const toHour = firstHour + days * 24
  const deps = depsAt(store, toHour, price)
  const ask = (hourlyUseBudget?: HourlyUseBudget) =>
    recommendSizes(deps, 'a', queryUntil(toHour), hourlyUseBudget)
  const { namespaces } = await ask()
  expect(await ask(new HourlyUseBudget(0))).toEqual({ namespaces })
  expect(await ask(new HourlyUseBudget(1))).toEqual({ namespaces })
  // The first node has 3 cores and 2 GiB of web, and 2.7 cores and 1 GiB of pay: 0.183 an hour, which fits. With the
  // recommendation for one of them they no longer fit, and each pays its part of 0.184.
  const containerOf = (key: string) =>
    namespaces.flatMap(({ containers }) => containers).find((container) => container.key === key)!
  const webNowUsd = 3 * 0.03 + 2 * 0.004
  const payNowUsd = 2.7 * 0.03 + 1 * 0.004
  const check = (key: string, otherUsd: number) => {
    const { requests, newSpend } = containerOf(key)
    const ownUsd = requests.cpu! * 0.03 + requests.memory! * 0.004
    expect(ownUsd + otherUsd).toBeGreaterThan(0.184)
    expect(usdOf(newSpend)).toBeCloseTo((days * 24 * 0.184 * ownUsd) / (ownUsd + otherUsd), 6)
  }
  check('Deployment/web/app', payNowUsd)
  check('Deployment/pay/app', webNowUsd)
})

test('a namespace has the same savings in a list, on a page and alone', async () => {
  const toHour = firstHour + 48
  const deps = depsAt(store, toHour, price)
  const ask = async (more: Parameters<typeof queryUntil>[1]) =>
    (await recommendSizes(deps, 'a', queryUntil(toHour, more))).namespaces.map((sized) =>
      viewNamespace(sized, 0),
    )
  const list = await ask({})
  expect(list).toHaveLength(2)
  for (const [index, one] of list.entries()) {
    expect(await ask({ namespace: one.Namespace })).toEqual([one])
    expect((await ask({ limit: index + 1 })).at(-1)).toEqual(one)
  }
  // 48 hours were measured, and a month has 730.
  const [{ CurrentSpend, NewSpend, MeasuredHours, MonthlyCurrentSpend, MonthlySavings }] = list as [
    (typeof list)[0],
  ]
  expect(MeasuredHours).toBe(48)
  expect(MonthlyCurrentSpend).toBeCloseTo((CurrentSpend * 730) / 48, 2)
  expect(MonthlySavings).toBeCloseTo(((CurrentSpend - NewSpend) * 730) / 48, 2)
})
