import { expect, test } from 'vitest'
import { compactDays } from '../../ingest/retention.ts'
import { recommendMachines } from './recommend-machines.ts'
import type { VmRecommendation } from './schema.ts'
import { summariseMachines } from './summarise-machines.ts'
import {
  hours,
  type MachinesFixture,
  type SyntheticProcess,
  withMachinesFixture,
  xlarge,
  xlargeCoreUsd,
  xlargeGibUsd,
} from './test-machines.case.ts'

let fixture: MachinesFixture
withMachinesFixture((opened) => {
  fixture = opened
})

let organisations = 0
const windowHours = hours.to - hours.from

async function check(
  processes: readonly SyntheticProcess[],
  expected: Record<string, { cpu: number[]; memory: number[]; mean: [cores: number, gib: number] }>,
  measuredHours = windowHours,
): Promise<void> {
  const organisation = `org${++organisations}`
  await fixture.add(organisation, processes, [{ vm: 'web-1', ...xlarge }])
  const { items, next } = await recommendMachines(fixture.deps, organisation, {})
  expect(next).toBeUndefined()
  expect(items.map(({ process }) => process)).toEqual(Object.keys(expected))
  for (const item of items) {
    const { cpu, memory, mean } = expected[item.process]!
    const values = ({ baseline, current, recommended }: VmRecommendation['cpu']) => [
      baseline,
      current,
      recommended,
    ]
    values(item.cpu).forEach(({ value, costInDollars }, index) => {
      expect(value, `${item.process} cpu ${index}`).toBeCloseTo(cpu[index]!, 5)
      expect(costInDollars).toBeCloseTo(value * xlargeCoreUsd * windowHours, 5)
    })
    values(item.memory).forEach(({ value, costInDollars }, index) => {
      expect(value, `${item.process} memory ${index}`).toBeCloseTo(memory[index]!, 5)
      expect(costInDollars).toBeCloseTo(value * xlargeGibUsd * windowHours, 5)
    })
    const perHour = mean[0] * xlargeCoreUsd + mean[1] * xlargeGibUsd
    expect(item.currentSpend, `${item.process} spend`).toBeCloseTo(perHour * measuredHours, 5)
    expect(item.costDriver).toBe(mean[0] * xlargeCoreUsd >= mean[1] * xlargeGibUsd ? 'cpu' : 'memory')
  }
}

test('constant usage: median and latest are equal, and a quarter more is recommended', async () => {
  await check([{ process: 'nginx', cores: 0.5, gib: 2 }], {
    nginx: { cpu: [0.5, 0.5, 0.625], memory: [2, 2, 2.5], mean: [0.5, 2] },
  })
})

test('baseline is the median, current the latest hour', async () => {
  const last = hours.to - 1
  await check(
    [
      {
        process: 'ramp',
        cores: (hour) => (hour === last ? 1 : 0.25),
        gib: (hour) => (hour === last ? 4 : 1),
      },
    ],
    {
      ramp: {
        cpu: [0.25, 1, 1.25],
        memory: [1, 4, 5],
        // one hour of 336 with 0.75 cores and 3 GiB more
        mean: [0.25 + 0.75 / 336, 1 + 3 / 336],
      },
    },
  )
})

test('a process missing in the latest hour uses nothing now but is still sized; one that has ended is not', async () => {
  await check(
    [
      { process: 'always', cores: 0.1, gib: 1 },
      { process: 'gone', cores: 1, gib: 1, hours: 168 },
      { process: 'nightly', cores: 1, gib: 1, from: hours.to - 20, hours: 1 },
    ],
    {
      always: { cpu: [0.1, 0.1, 0.125], memory: [1, 1, 1.25], mean: [0.1, 1] },
      nightly: { cpu: [1, 0, 1.25], memory: [1, 0, 1.25], mean: [1 / 336, 1 / 336] },
      gone: { cpu: [1, 0, 0], memory: [1, 0, 0], mean: [0.5, 0.5] },
    },
  )
})

test('a process that ran for part of the latest hour counts for that part', async () => {
  await check(
    [
      { process: 'always', cores: 0.1, gib: 1 },
      { process: 'short', cores: 1, gib: 1, from: hours.to - 1, hours: 1, seconds: 900 },
    ],
    {
      always: { cpu: [0.1, 0.1, 0.125], memory: [1, 1, 1.25], mean: [0.1, 1] },
      short: { cpu: [1, 0.25, 1.25], memory: [1, 0.25, 1.25], mean: [0.25 / 336, 0.25 / 336] },
    },
  )
})

test('a machine measured for minutes is sized by them, and unmeasured time costs nothing', async () => {
  await check(
    [{ process: 'new', cores: 0.5, gib: 2, from: hours.to - 1, hours: 1, seconds: 120 }],
    { new: { cpu: [0.5, 0.5, 0.625], memory: [2, 2, 2.5], mean: [0.5, 2] } },
    120 / 3600,
  )
})

test('six hours of data have the same spend in every window that contains them; future hours cost nothing', async () => {
  await fixture.add(
    'six',
    [{ cores: 0.5, gib: 2, from: hours.to - 6, hours: 6 }],
    [{ vm: 'web-1', ...xlarge }],
  )
  const at = (hour: number) => new Date(hour * 3_600_000).toISOString()
  const coresUsd = 0.5 * xlargeCoreUsd
  const windows: [object, hours: number][] = [
    [{ start_date: at(hours.to - 6), end_date: at(hours.to) }, 6],
    [{ start_date: at(hours.to - 6), end_date: at(hours.to + 8760) }, 6],
    [{ start_date: at(hours.to - 1000) }, 1000],
    [{}, windowHours],
  ]
  for (const [window, costed] of windows) {
    const [item] = (await recommendMachines(fixture.deps, 'six', window)).items
    expect(item!.currentSpend, JSON.stringify(window)).toBeCloseTo(6 * (coresUsd + 2 * xlargeGibUsd), 5)
    expect(item!.cpu.baseline.costInDollars).toBeCloseTo(costed * coresUsd, 5)
  }
  const future = { start_date: at(hours.to + 24), end_date: at(hours.to + 48) }
  expect((await recommendMachines(fixture.deps, 'six', future)).items).toEqual([])
})

test('in order of machine, group, name and cgroup, by bytes', async () => {
  const processes = [
    { vm: 'b', group: 'user', process: 'a' },
    { vm: 'b', group: 'docker', process: 'z', cgroup: '/b' },
    { vm: 'b', group: 'docker', process: 'z', cgroup: '/a' },
    { vm: 'B', process: 'q' },
    { vm: 'b-1', process: 'q' },
    { vm: 'é', process: 'q' },
  ]
  await fixture.add('ordered', processes)
  const names = (items: readonly VmRecommendation[]) =>
    items.map(({ vm, processGroup, process, cgroup }) => [vm, processGroup, process, cgroup].join(' '))
  const { items } = await recommendMachines(fixture.deps, 'ordered', {})
  const expected = [
    'B system q /',
    'b docker z /a',
    'b docker z /b',
    'b user a /',
    'b-1 system q /',
    'é system q /',
  ]
  expect(names(items)).toEqual(expected)

  for (const limit of [1, 2, 3, 4, 5, 6]) {
    const pages: string[] = []
    for (let next: object | undefined = {}; next !== undefined; ) {
      const page = await recommendMachines(fixture.deps, 'ordered', { limit, ...next })
      expect(page.items.length).toBeLessThanOrEqual(limit)
      pages.push(...names(page.items))
      next = page.next
    }
    expect(pages, `pages of ${limit}`).toEqual(expected)

    const machines: string[] = []
    for (let next: object | undefined = {}; next !== undefined; ) {
      const page = await summariseMachines(fixture.deps, 'ordered', { limit, ...next })
      machines.push(...page.items.map(({ vm }) => vm))
      next = page.next
    }
    expect(machines, `pages of ${limit}`).toEqual(['B', 'b', 'b-1', 'é'])
  }

  const only = async (request: object) =>
    names((await recommendMachines(fixture.deps, 'ordered', request)).items)
  expect(await only({ vm: 'b-1' })).toEqual(['b-1 system q /'])
  expect(await only({ vm: 'nobody' })).toEqual([])
  expect(await only({ process_group: 'docker' })).toEqual(['b docker z /a', 'b docker z /b'])
  expect(await only({ vm: 'b', process_group: 'system' })).toEqual([])
  const first = await recommendMachines(fixture.deps, 'ordered', { vm: 'b', limit: 2 })
  expect(await only({ vm: 'b', limit: 2, ...first.next })).toEqual(['b user a /'])
})

test('no link leads to an empty page if later processes have no hours in the window', async () => {
  const at = (hour: number) => new Date(hour * 3_600_000).toISOString()
  // Digests are stored by day: both machines have some of the day, but the second has none in the window.
  const early = { vm: 'b', from: hours.from, hours: 2 }
  await fixture.add('edge', [{ vm: 'a' }, early, { ...early, process: 'other' }])
  const partition = { organisation: 'edge', source: 'push' }
  await compactDays(
    fixture.store.usage,
    partition,
    await fixture.store.usage.fence(partition),
    hours.from + 24,
  )
  const window = { start_date: at(hours.from + 6), end_date: at(hours.from + 12), limit: 1 }
  expect((await summariseMachines(fixture.deps, 'edge', window)).next).toBeUndefined()
  expect((await recommendMachines(fixture.deps, 'edge', window)).next).toBeUndefined()

  await fixture.add('edge', [{ vm: 'c' }])
  for (const ask of [summariseMachines, recommendMachines]) {
    const wider = { ...window, end_date: at(hours.from + 13) }
    const first = await ask(fixture.deps, 'edge', wider)
    const second = await ask(fixture.deps, 'edge', { ...wider, ...first.next })
    expect([first, second].map(({ items }) => items.map(({ vm }) => vm))).toEqual([['a'], ['c']])
    expect(second.next).toBeUndefined()
  }
})

test('nothing is returned for another period or organisation', async () => {
  const early = { start_date: '2020-01-01T00:00:00Z', end_date: '2020-02-01T00:00:00Z' }
  expect((await recommendMachines(fixture.deps, 'ordered', early)).items).toEqual([])
  expect((await recommendMachines(fixture.deps, 'nobody', {})).items).toEqual([])
  expect((await summariseMachines(fixture.deps, 'nobody', { include_rehost: true })).items).toEqual([])
})

test('a request before the first machine does not hide the first machine later', async () => {
  const before = { end_date: new Date((hours.to - 1) * 3_600_000).toISOString() }
  for (const ask of [summariseMachines, recommendMachines])
    expect((await ask(fixture.deps, 'first', before)).items).toEqual([])
  await fixture.add('first', [{ cores: 1, gib: 1 }], [{ vm: 'web-1', ...xlarge }])
  const [item] = (await recommendMachines(fixture.deps, 'first', {})).items
  expect(item!.currentSpend).toBeCloseTo(windowHours * (xlargeCoreUsd + xlargeGibUsd), 5)
  const [summary] = (await summariseMachines(fixture.deps, 'first', { include_rehost: true })).items
  expect(summary!.rehost?.currentCostPerHour).toBe(0.192)
})

test('machines without facts are priced at base rates', async () => {
  await fixture.add('bare', [{ cores: 1, gib: 1 }])
  const { items } = await recommendMachines(fixture.deps, 'bare', {})
  expect(items[0]!.cpu.baseline.costInDollars).toBeCloseTo(0.031611 * 336, 5)
  expect(items[0]!.memory.baseline.costInDollars).toBeCloseTo(0.004237 * 336, 5)
})

test('kernel threads and processes that have ended are last on a machine, on pages too', async () => {
  const processes = [
    { process: 'aged', cores: 1, gib: 1, hours: 100 },
    { process: 'kthreadd', cores: 0.01, gib: 0 },
    { process: 'nginx', cores: 0.5, gib: 2 },
    { process: 'app', cores: 0.5, gib: 2 },
  ]
  await fixture.add('unused', processes)
  for (const limit of [1, 2, 3, 4]) {
    const names: string[] = []
    for (let next: object | undefined = {}; next !== undefined; ) {
      const page = await recommendMachines(fixture.deps, 'unused', { limit, ...next })
      names.push(...page.items.map(({ process }) => process))
      next = page.next
    }
    expect(names, `pages of ${limit}`).toEqual(['app', 'nginx', 'aged', 'kthreadd'])
  }
})
