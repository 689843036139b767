import { expect, test, vi } from 'vitest'
import { hourMs } from '../domain/time.ts'
import { type Store, StoreUnavailable } from '../store/port.ts'
import { withTestStore } from '../store/test-store.case.ts'
import { decodeDigests } from '../usage/digest/codec.ts'
import { type Partition, Superseded, type UsageStore } from '../usage/port.ts'
import { mergeWindow } from '../usage/reading/merge-window.case.ts'
import { combineHours } from '../usage/reading/pod-usage.ts'
import { partitionLease } from '../usage/shard.ts'
import { DigestScheduler } from './digest-scheduler.ts'
import { Digester } from './digester.ts'
import { digestTurn } from './pipeline.ts'
import type { SeriesToWrite } from './remote-write/encode.case.ts'
import { encodeRequest } from './remote-write/encode.case.ts'
import { enforceRetention } from './retention.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

let organisations = 0
const newPartition = (): Partition => ({ organisation: `org${++organisations}`, source: 'push' })
const startMs = 20_000 * 24 * hourMs

/** A request with one sample of each pod, whose counters grow by a second of CPU a minute. */
function request(timeMs: number, pods: readonly string[] = ['a', 'b']): SeriesToWrite[] {
  return pods.flatMap((pod) => {
    const labels = [
      ['container', 'app'],
      ['namespace', 'shop'],
      ['pod', pod],
    ] as const
    const value = (timeMs - startMs) / 60_000
    return [
      {
        labels: [['__name__', 'container_cpu_usage_seconds_total'], ...labels] as const,
        samples: [{ timeMs, value }],
      },
      {
        labels: [['__name__', 'container_memory_working_set_bytes'], ...labels] as const,
        samples: [{ timeMs, value: 5 }],
      },
    ]
  })
}

async function append(partition: Partition, ...timesMs: number[]): Promise<void> {
  await store.usage.append(
    timesMs.map((timeMs) => ({
      partition,
      receivedAt: timeMs,
      format: 'remote-write-1' as const,
      cluster: 'one',
      body: encodeRequest(request(timeMs)).slice(),
    })),
  )
}

async function digest(digester: Digester, timesMs: readonly number[]): Promise<void> {
  await append(digester.partition, ...timesMs)
  await digester.digest()
  await digester.commit()
}

/** Reads the number of rows, the number of memory observations and the CPU seconds of pod a. */
async function storedUsage({ organisation }: Partition) {
  const query = { kind: 'container', fromHour: 0, toHour: 1e9 } as const
  for await (const { rows } of store.usage.digests(organisation, query)) {
    const digests = rows.flatMap(({ source, bytes }) =>
      decodeDigests(bytes).map((digest) => ({ source, digest })),
    )
    const { memory, cpu } = mergeWindow(combineHours(digests))
    return { rows: rows.length, memory: memory.count, cpu: Number(cpu.sum) / 1e6 }
  }
  return { rows: 0, memory: 0, cpu: 0 }
}

const halfHours = (count: number) => Array.from({ length: count }, (_, n) => startMs + (n * hourMs) / 2)

test('the next commit includes a failed one, and samples count once', async () => {
  const partition = newPartition()
  let failing = true
  const usage: UsageStore = {
    ...store.usage,
    async commit(...args) {
      if (failing) throw new StoreUnavailable('no room')
      return store.usage.commit(...args)
    },
  }
  const digester = await Digester.open(usage, partition)
  await append(partition, ...halfHours(4))
  await digester.digest()
  await expect(digester.commit()).rejects.toThrow(StoreUnavailable)
  expect(digester.hasChanges).toBe(true)
  await append(partition, startMs + 2 * hourMs)
  await digester.digest()
  failing = false
  await digester.commit()
  expect(await storedUsage(partition)).toEqual({ rows: 3, memory: 5, cpu: 120 })
  expect(await store.usage.journal(partition, 0, 1e9)).toEqual([])
})

test('a node that takes over after a partial commit digests everything once', async () => {
  const partition = newPartition()
  const pods = Array.from({ length: 2500 }, (_, n) => `p${n}`)
  const append = (timeMs: number) =>
    store.usage.append([
      {
        partition,
        receivedAt: timeMs,
        format: 'remote-write-1',
        cluster: 'one',
        body: encodeRequest(request(timeMs, pods)).slice(),
      },
    ])
  let commits = 0
  const usage: UsageStore = {
    ...store.usage,
    async commit(...args) {
      if (++commits > 2) throw new StoreUnavailable('struck down')
      return store.usage.commit(...args)
    },
  }
  const first = await Digester.open(usage, partition)
  await append(startMs)
  await append(startMs + hourMs / 2)
  await first.digest()
  await expect(first.commit()).rejects.toThrow('struck down')
  await append(startMs + hourMs)
  const second = await Digester.open(store.usage, partition)
  while (await second.digest());
  await second.commit()
  const query = { kind: 'container', fromHour: 0, toHour: 1e9 } as const
  const found: string[] = []
  for await (const { rows } of store.usage.digests(partition.organisation, query)) {
    const digests = rows.flatMap(({ source, bytes }) =>
      decodeDigests(bytes).map((digest) => ({ source, digest })),
    )
    const { memory, cpu } = mergeWindow(combineHours(digests))
    found.push(`${memory.count} ${Number(cpu.sum) / 1e6}`)
  }
  expect([found.length, new Set(found)]).toEqual([2500, new Set(['3 60'])])
  expect(await store.usage.journal(partition, 0, 1e9)).toEqual([])
})

test('a superseded node writes nothing; the next digests everything once', async () => {
  const partition = newPartition()
  const first = await Digester.open(store.usage, partition)
  await digest(first, halfHours(3))
  await append(partition, startMs + 1.5 * hourMs)
  await first.digest()
  const second = await Digester.open(store.usage, partition)
  await expect(first.commit()).rejects.toThrow(Superseded)
  await digest(second, [startMs + hourMs, startMs + 2 * hourMs])
  expect(await storedUsage(partition)).toMatchObject({ memory: 5, cpu: 120 })
})

test('past days are compacted to one row each without changing the data, also with late samples', async () => {
  const partition = newPartition()
  const digester = await Digester.open(store.usage, partition)
  const times = halfHours(100)
  await digest(digester, times)
  const before = await storedUsage(partition)
  expect(before.rows).toBe(50)
  await digester.compact(times.at(-1)! + 3 * hourMs)
  expect(await storedUsage(partition)).toEqual({ ...before, rows: 2 + 2 })
  const next = await Digester.open(store.usage, partition)
  await digest(next, [times.at(-1)! + hourMs / 2])
  await next.compact(times.at(-1)! + 60 * hourMs)
  expect(await storedUsage(partition)).toMatchObject({ memory: 101, cpu: before.cpu + 30 })
})

test('an unreadable entry is counted and skipped', async () => {
  const partition = newPartition()
  const broken = {
    partition,
    receivedAt: startMs,
    format: 'remote-write-1',
    cluster: '',
    body: Uint8Array.of(9),
  } as const
  await store.usage.append([broken])
  await append(partition, startMs)
  const digester = await Digester.open(store.usage, partition)
  expect(await digester.digest()).toBeGreaterThan(0)
  await digester.commit()
  expect([digester.unreadable, (await storedUsage(partition)).memory]).toEqual([1, 1])
  expect(await store.usage.journal(partition, 0, 1e9)).toEqual([])
})

test('a subject without samples is removed, and added again with its next sample', async () => {
  const partition = newPartition()
  const digester = await Digester.open(store.usage, partition)
  for (const hours of [0, 60, 120, 121]) {
    await digest(digester, [startMs + hours * hourMs])
  }
  expect((await store.usage.open(partition)).subjects).toHaveLength(2)
  expect(await storedUsage(partition)).toMatchObject({ memory: 4, cpu: 60 })
})

const deps = { holder: 'me', now: () => startMs + 100 * 24 * hourMs, log: () => undefined }

test('the journal of a dead node is digested and then released', async () => {
  const partition = newPartition()
  await append(partition, ...halfHours(3))
  const scheduler = new DigestScheduler({ ...deps, store }, digestTurn)
  scheduler.start()
  await vi.waitFor(async () => expect((await storedUsage(partition)).memory).toBe(3), 120_000)
  await append(partition, startMs + 2 * hourMs)
  scheduler.wake(partition, 1)
  await scheduler.stop()
  const other = new DigestScheduler({ ...deps, holder: 'other', store }, digestTurn)
  other.start()
  await vi.waitFor(async () => expect((await storedUsage(partition)).memory).toBe(4), 120_000)
  await other.stop()
  expect(scheduler.totals.outcomes.accepted! + other.totals.outcomes.accepted!).toBeGreaterThanOrEqual(16)
})

test("subjects of a partition that no node holds are in nobody's memory", async () => {
  const [left, taken] = [newPartition(), newPartition()]
  for (const partition of [left, taken]) {
    const { epoch } = await store.usage.open(partition)
    const nothing = { subjects: [], entities: [], consumed: [], forgotten: [], resume: '' }
    await store.usage.commit(partition, epoch, { ...nothing, subjectCount: 50 })
  }
  await store.leases.acquire(partitionLease(taken), 'another node', 600_000)
  const scheduler = new DigestScheduler({ ...deps, store, isSharded: true }, digestTurn)
  scheduler.start()
  await vi.waitFor(() => expect(scheduler.subjectsOf(taken.organisation)).toBe(50), 120_000)
  expect(scheduler.subjectsOf(left.organisation)).toBe(0)
  await scheduler.stop()
})

test('a slow checkpoint of one organisation does not delay others', async () => {
  const [slow, quick] = [newPartition(), newPartition()]
  const stuck = Promise.withResolvers<void>()
  const usage: UsageStore = {
    ...store.usage,
    async commit(partition, ...args) {
      if (partition.organisation === slow.organisation) await stuck.promise
      return store.usage.commit(partition, ...args)
    },
  }
  await append(slow, startMs)
  const scheduler = new DigestScheduler({ ...deps, store: { ...store, usage } }, digestTurn)
  scheduler.start()
  scheduler.wake(slow, 1)
  await vi.waitFor(() => expect(scheduler.subjectsOf(slow.organisation)).toBe(2), 120_000)
  for (const n of [1, 2, 3]) {
    await append(quick, startMs + n * hourMs)
    scheduler.wake(quick, 1)
    await vi.waitFor(async () => expect((await storedUsage(quick)).memory).toBe(n), 120_000)
  }
  expect((await storedUsage(slow)).memory).toBe(0)
  scheduler.wake(slow, 1000)
  expect([slow, quick].map(({ organisation }) => scheduler.backlogBytesOf(organisation))).toEqual([1000, 0])
  stuck.resolve()
  await scheduler.stop()
  expect((await storedUsage(slow)).memory).toBe(1)
})

test('usage that waits for a partition that cannot be taken is part of the backlog', async () => {
  const partition = newPartition()
  let isAway = true
  const usage: UsageStore = {
    ...store.usage,
    open: (...args) => (isAway ? Promise.reject(new StoreUnavailable('away')) : store.usage.open(...args)),
  }
  await append(partition, startMs)
  const scheduler = new DigestScheduler({ ...deps, store: { ...store, usage } }, digestTurn)
  scheduler.start()
  scheduler.wake(partition, 700)
  scheduler.wake(partition, 300)
  const backlog = () => scheduler.backlogBytesOf(partition.organisation)
  await vi.waitFor(() => expect(backlog()).toBe(1000), 120_000)
  isAway = false
  await vi.waitFor(async () => expect((await storedUsage(partition)).memory).toBe(1), 120_000)
  await vi.waitFor(() => expect(backlog()).toBe(0), 120_000)
  await scheduler.stop()
})

test('retention: each organisation has its own; digesting is not disturbed', async () => {
  const [short, long, busy] = [newPartition(), newPartition(), newPartition()]
  const held: Digester[] = []
  for (const partition of [short, long, busy]) {
    const digester = await Digester.open(store.usage, partition)
    await digest(digester, halfHours(50))
    held.push(digester)
  }
  await store.leases.acquire(partitionLease(busy), 'somebody', 60_000)
  const keepDays = { retentionDays: 10_000, retentionOf: { [short.organisation]: 10 } }
  const usage: UsageStore = { ...store.usage, dropDays: async () => 3 }
  const removed = await enforceRetention({ ...deps, store: { ...store, usage } }, keepDays)
  expect(removed).toEqual({ droppedDays: 3, pruned: expect.any(Number), compacted: expect.any(Number) })
  expect([removed.pruned > 0, removed.compacted > 0]).toEqual([true, true])
  expect((await storedUsage(short)).rows).toBe(0)
  expect(await storedUsage(long)).toMatchObject({ rows: 2, memory: 50 })
  expect(await storedUsage(busy)).toMatchObject({ rows: 25, memory: 50 })
  await held[2]!.commit()
  await expect(held[1]!.commit()).rejects.toThrow(Superseded)
  await store.leases.acquire('usage-retention', 'somebody', 60_000)
  expect(await enforceRetention({ ...deps, store }, { retentionDays: 1, retentionOf: {} })).toEqual({
    droppedDays: 0,
    pruned: 0,
    compacted: 0,
  })
})

test('failed retention blocks nothing else', async () => {
  const partition = newPartition()
  const digester = await Digester.open(store.usage, partition)
  await digest(digester, halfHours(50))
  await store.leases.release('usage-retention', 'somebody')
  const taken: string[] = []
  const leases: Store['leases'] = {
    ...store.leases,
    acquire: async (name, ...rest) => {
      const free = await store.leases.acquire(name, ...rest)
      if (free) taken.push(name)
      return free
    },
  }
  const usage = { ...store.usage, fence: () => Promise.reject(new StoreUnavailable('away')) }
  const keepLong = { retentionDays: 10_000, retentionOf: {} }
  await expect(enforceRetention({ ...deps, store: { leases, usage } }, keepLong)).rejects.toThrow('away')
  expect(taken).toHaveLength(2)
  for (const name of taken) expect(await store.leases.acquire(name, 'next', 60_000), name).toBe(true)
})
