import { expect, test } from 'vitest'
import { usdOf } from '../../allocation/spend.ts'
import type { Store } from '../../store/port.ts'
import { withTestStore } from '../../store/test-store.case.ts'
import { firstHour } from '../../usage/reading/pods.case.ts'
import { recommendSizes } from './recommend-sizes.ts'
import { HourlyUseCache } from './sized-namespace.ts'
import { depsAt, queryUntil, storePods } from './test-namespaces.case.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

/** 4 cores and 16 GiB: 0.184 an hour. */
const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: 0.184 }

test('an overfull node costs what it costs, whether hours were kept or are read again', async () => {
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
        cores: 2.5,
        gib: 1,
        cpuRequest: 1,
        memoryRequest: 1,
      },
    ],
    days,
  )
  const toHour = firstHour + days * 24
  const deps = depsAt(store, toHour, price)
  const ask = (kept?: HourlyUseCache) => recommendSizes(deps, 'a', queryUntil(toHour), kept)
  const { namespaces } = await ask()
  expect(await ask(new HourlyUseCache(0))).toEqual({ namespaces })
  expect(await ask(new HourlyUseCache(1))).toEqual({ namespaces })
  const onFirst = namespaces.flatMap(({ containers }) => containers.filter(({ key }) => !key.includes('db')))
  const then = onFirst.reduce((sum, { spendThen }) => sum + usdOf(spendThen), 0)
  expect(then).toBeCloseTo(0.184 * days * 24, 9)
})
