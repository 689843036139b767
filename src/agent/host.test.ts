import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect } from 'vitest'
import { testOnLinux as test } from '../../test/peers/test-with.ts'
import type { Group } from './accounting/groups.ts'
import { CgroupTree } from './cgroup/cgroup-tree.ts'
import { type Load, startLoad } from './load.case.ts'
import { KernelFiles } from './proc/kernel-files.ts'
import { eventually } from './receiver.case.ts'
import { type HostReading, Sampler } from './sampler.ts'

/** Measures the real machine. It may be busy, so results are compared with what the loads or the kernel report. */
const cgroupRoot = '/sys/fs/cgroup'
const newSampler = () => new Sampler({ proc: '/proc', cgroupRoot, intervalSeconds: 15, pssSeconds: 60 })
const windowMs = 3000
const minSeconds = 1

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})
async function load(name: string, share: number): Promise<Load> {
  const started = await startLoad(name, share)
  cleanups.push(() => started.end())
  return started
}

const find = (reading: HostReading, process: string): Group =>
  reading.groups.find((group) => group.process === process)!
const within = (share: number, actual: number, least: number, most = least) => {
  expect(actual).toBeGreaterThan(least * (1 - share))
  expect(actual).toBeLessThan(most * (1 + share))
}

/** How far a value is outside of the bounds, as a share of them. */
const shareOf = (value: number, least: number, most: number): number =>
  value < least ? 1 - value / least : Math.max(0, value / most - 1)

/** Measures repeatedly and takes the closest result, because other processes may allocate and free memory meanwhile. */
async function closestShare(measure: () => number, enough: number): Promise<number> {
  let closest = measure()
  for (let tries = 1; closest >= enough && tries < 50; tries++) {
    await sleep(100)
    closest = Math.min(closest, measure())
  }
  return closest
}

/**
 * Makes two measurements some seconds apart, and returns the least and most that a counter can have increased between
 * them. The second waits until the counter has increased so much that the kernel's ticks of 10 ms do not matter, even on a
 * busy machine.
 */
async function measureTwice(counter: () => number | Promise<number>) {
  const sampler = newSampler()
  const beforeFirst = await counter()
  sampler.measure()
  const afterFirst = await counter()
  await sleep(windowMs)
  while ((await counter()) - afterFirst < minSeconds) await sleep(100)
  const beforeSecond = await counter()
  const reading = sampler.measure()
  const afterSecond = await counter()
  return { reading, least: beforeSecond - afterFirst, most: afterSecond - beforeFirst }
}

/** Names a process apart from those of other copies of the tests on this machine. */
const own = (name: string): string => `${name}-${process.pid}`

describe('known load', () => {
  test('half a core', async () => {
    const burner = await load(own('half'), 0.5)
    const { reading, least, most } = await measureTwice(() => burner.cpuSeconds())
    const group = find(reading, own('half'))
    within(0.1, group.cpuSeconds, least, most)
    expect(group.processes).toBe(1)
    const cgroups = readFileSync(`/proc/${burner.pid}/cgroup`, 'utf8')
    expect(cgroups).toContain(`:${group.cgroup}\n`)
  })

  test('300 MiB', async () => {
    const holder = await load(own('holder'), 0)
    const sampler = newSampler()
    const before = find(sampler.measure(), own('holder')).memoryBytes!
    await holder.hold(300)
    within(0.1, find(sampler.measure(), own('holder')).memoryBytes! - before, 300 << 20)
  })

  test('memory that processes share is counted once', async () => {
    const sampler = newSampler()
    const several = await Promise.all([1, 2, 3, 4].map(() => load(own('sharers'), 0)))
    const group = find(sampler.measure(), own('sharers'))
    const resident = several.reduce((sum, { pid }) => {
      const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
      return sum + pages * Number(execFileSync('getconf', ['PAGESIZE']).toString())
    }, 0)
    expect(group.processes).toBe(4)
    expect(group.memoryBytes!).toBeLessThan(0.85 * resident)
  })
})

describe('sums over processes', () => {
  test('CPU agrees with /proc/stat within 5%', async () => {
    await Promise.all([load('sum-a', 0.6), load('sum-b', 0.6)])
    const stolenBefore = processorSeconds().stolen
    const { reading, least, most } = await measureTwice(() => processorSeconds().busy)
    const counted = reading.groups.reduce((sum, group) => sum + group.cpuSeconds, 0)
    within(0.05, counted, least, most + processorSeconds().stolen - stolenBefore)
  })

  test('memory agrees with /proc/meminfo within 5%', async () => {
    const holder = await load(own('holder'), 0)
    await holder.hold(300)
    const share = await closestShare(() => {
      const before = mappedBytes()
      const { groups } = newSampler().measure()
      const after = mappedBytes()
      const counted = groups.reduce((sum, group) => sum + (group.memoryBytes ?? 0), 0)
      return shareOf(counted, Math.min(before, after), Math.max(before, after))
    }, 0.05)
    expect(share).toBeLessThan(0.05)
  })
})

test('processes that are too short-lived to be seen are counted', async () => {
  const cgroup = makeCgroup(`/cheapside-test-${process.pid}/docker-${'5f7c2a9e'.repeat(8)}.scope`)
  const shell = spawn(
    'sh',
    ['-c', 'read line; while :; do sh -c "i=0; while [ \\$i -lt 20000 ]; do i=\\$((i+1)); done"; done'],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  )
  cleanups.push(async () => {
    const ended = new Promise((resolve) => shell.once('exit', resolve))
    process.kill(-shell.pid!, 'SIGKILL')
    await ended
  })
  for (const directory of cgroup?.directories ?? [])
    writeFileSync(join(directory, 'cgroup.procs'), String(shell.pid))
  shell.stdin.write('go\n')
  const childSeconds = () => {
    const stat = readFileSync(`/proc/${shell.pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(stat[field]), 0) / 100
  }
  const { reading, least, most } = await measureTwice(childSeconds)
  const { groups } = reading
  const mine = groups.filter((group) => group.cgroup === cgroup?.path)
  const counted = (cgroup === undefined ? groups : mine).reduce((sum, group) => sum + group.cpuSeconds, 0)
  expect(counted).toBeGreaterThan(0.9 * least)
  if (cgroup !== undefined) {
    within(0.1, counted, least, most)
    expect(new Set(mine.map(({ group }) => group))).toEqual(new Set(['docker']))
  }
})

/** Tests that run as root start Node as another user, who may not be able to read a clone in the directory of root. */
const otherUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
const othersCanRun =
  spawnSync(process.execPath, ['--version'], { cwd: '/', ...otherUser }).error === undefined

test.skipIf(!othersCanRun)('another user may read less, which is reported', () => {
  const script = `
    import { Sampler } from ${JSON.stringify(join(import.meta.dirname, 'sampler.ts'))}
    import { measurementGaps } from ${JSON.stringify(join(import.meta.dirname, 'timeline.ts'))}
    const reading = new Sampler({ proc: '/proc', cgroupRoot: '/sys/fs/cgroup', intervalSeconds: 15, pssSeconds: 60 }).measure()
    const memory = reading.groups.reduce((sum, group) => sum + (group.memoryBytes ?? 0), 0)
    console.log(JSON.stringify({ memory, scaled: reading.scaledProcesses, gaps: measurementGaps(reading) }))`
  const before = mappedBytes()
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: '/',
    ...otherUser,
  })
  const { memory, scaled, gaps } = JSON.parse(ran.stdout.toString() || '{}')
  expect(ran.stderr.toString()).toBe('')
  expect(scaled).toBeGreaterThan(0)
  expect(gaps.join()).toContain('is estimated from their resident set size')
  expect(memory).toBeGreaterThan(0.5 * before)
  expect(memory).toBeLessThan(1.3 * Math.max(before, mappedBytes()))
})

/** Time that the hypervisor steals while a process runs is charged to the process, but is not busy time. */
function processorSeconds(): { busy: number; stolen: number } {
  const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .split(/ +/)
    .slice(1)
    .map(Number)
  return { busy: (user! + nice! + system! + irq! + softirq!) / 100, stolen: steal! / 100 }
}

function mappedBytes(): number {
  const text = readFileSync('/proc/meminfo', 'utf8')
  return ['AnonPages', 'Mapped'].reduce(
    (sum, name) => sum + Number(new RegExp(`^${name}: *(\\d+)`, 'm').exec(text)![1]) * 1024,
    0,
  )
}

/**
 * Creates a cgroup in every hierarchy, as container engines do. Returns undefined if this user may not; then the whole
 * machine is measured.
 */
function makeCgroup(path: string): { directories: string[]; path: string } | undefined {
  const tree = new CgroupTree(new KernelFiles(), cgroupRoot)
  const roots = [...new Set([tree.cpuDirectory, tree.memoryDirectory])].filter((root) => root !== undefined)
  if (roots.length === 0) return undefined
  const directories = roots.map((root) => root + path)
  cleanups.push(async () => {
    for (const made of directories.flatMap((directory) => [directory, dirname(directory)]))
      await eventually(() => removed(made))
  })
  try {
    for (const directory of directories) mkdirSync(directory, { recursive: true })
    return { directories, path }
  } catch {
    return undefined
  }
}

/** Removes a cgroup. Returns false while it still has a process. */
function removed(directory: string): boolean {
  try {
    if (existsSync(directory)) rmdirSync(directory)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false
    throw error
  }
}
