import { expect, test } from 'vitest'
import { decideSizes } from '../../decisions/decide-day.ts'
import { readMachineDecision } from '../../decisions/processes/decide-machine.ts'
import { encodeMachineDecision } from '../../decisions/processes/machine-decision.ts'
import type { SizeBand } from '../../decisions/processes/size-process.ts'
import { recommendMachines } from './recommend-machines.ts'
import { hours, type MachinesFixture, withMachinesFixture } from './test-machines.case.ts'

let fixture: MachinesFixture
withMachinesFixture((opened) => {
  fixture = opened
})

const hourMs = 3_600_000
const [day, end] = [hours.to / 24 - 1, hours.to]
const { signal } = new AbortController()

/** What is recommended at an hour, by process, of a window that begins some days before. */
async function coresAt(organisation: string, hour: number, days = 14) {
  const deps = { ...fixture.deps, now: () => hour * hourMs + 1 }
  const window = { start_date: new Date((hour - days * 24) * hourMs).toISOString() }
  const { items } = await recommendMachines(deps, organisation, window)
  return Object.fromEntries(items.map(({ process, cpu }) => [process, cpu.recommended.value]))
}

const decisionOf = (organisation: string, of = day) =>
  readMachineDecision(fixture.deps, organisation, 'web-1', of)

const rising = { process: 'rising', cores: (hour: number) => 1 + (hour - hours.from) / 1000, gib: 1 }

test('sizes stay the same all day, whatever the window, and are decided when the day is over', async () => {
  await fixture.add('day', [{ ...rising, hours: end + 24 - hours.from }])
  const first = await coresAt('day', end + 1)
  expect(first.rising).toBeCloseTo(1.25 * (1 + 335 / 1000), 5)
  expect(await decisionOf('day')).toMatchObject({ late: true, seenHours: 336 })
  for (const [hour, days] of [
    [end + 5, 14],
    [end + 23, 14],
    [end + 23, 3],
  ] as const)
    expect(await coresAt('day', hour, days)).toEqual(first)
  expect((await coresAt('day', end + 25)).rising).toBeCloseTo(1.25 * (1 + 359 / 1000), 5)
})

test('the job decides once a day, with the built-in model', async () => {
  await fixture.add('job', [rising])
  const { store } = fixture
  const deps = { store, now: () => (end + 1) * hourMs, modelOf: async () => ({ model: {} }) }
  expect(await decideSizes(deps, 'job', signal)).toBe(1)
  expect(await decideSizes(deps, 'job', signal)).toBe(0)
  const decision = await decisionOf('job')
  expect(decision).toMatchObject({ late: false, seenHours: 336 })
  const [size] = decision!.sizes.values()
  expect((await coresAt('job', end + 3)).rising).toBe(size!.target.cores)
})

test('a process that began since is sized by what is known of it', async () => {
  await fixture.add('new', [rising])
  await coresAt('new', end)
  await fixture.add('new', [{ process: 'young', cores: 2, gib: 1, from: end, hours: 3 }])
  expect((await coresAt('new', end + 3)).young).toBeCloseTo(2.5, 5)
  expect((await decisionOf('new'))!.sizes.size).toBe(1)
})

test('usage that arrives late is decided about again', async () => {
  await fixture.add('late', [{ ...rising, from: end - 48, hours: 24 }])
  const before = await coresAt('late', end)
  await fixture.add('late', [{ ...rising, cores: 3, from: end - 24, hours: 24 }])
  expect((await coresAt('late', end)).rising).toBeGreaterThan(before.rising!)
  expect((await decisionOf('late'))!.seenHours).toBe(48)
})

test('a decision takes some tens of bytes a process', () => {
  const used = { cores: 0.004321, gib: 0.012 }
  const band = (target: number): SizeBand => ({
    target: { cores: target, gib: target * 2 },
    lower: { cores: target / 2, gib: target },
    upper: { cores: target * 1.5, gib: target * 3 },
  })
  const sizes = new Map(
    Array.from({ length: 200 }, (_, id) => [
      `p\0vm-1\0docker\0process-${id}\0/docker/${(id * 7919) % 1000}`,
      id % 10 > 0 ? { target: used, lower: used, upper: used } : band(id / 100),
    ]),
  )
  const decision = { day, late: false, decidedAt: 1_800_000_000_000, seenHours: 720, sizes }
  expect(encodeMachineDecision(decision).bytes.length).toBeLessThan(200 * 30)
})
