import { expect, test } from 'vitest'
import { hourMs } from '../domain/time.ts'
import { NotStorable, StoreUnavailable } from '../store/port.ts'
import type { JournalEntry } from '../usage/port.ts'
import { GroupCommit, Overloaded } from './group-commit.ts'
import { podSeries } from './pod-series.case.ts'
import type { MessageFormat } from './remote-write/decode.ts'
import { encodeRequest } from './remote-write/encode.case.ts'
import { type Refusal, RequestValidator } from './request-validator.ts'

const entry = (bytes: number): JournalEntry => ({
  partition: { organisation: 'acme', source: 'push' },
  receivedAt: 0,
  format: 'remote-write-1',
  cluster: '',
  body: new Uint8Array(bytes),
})

/** A disk whose writes end when the test resolves them. */
function slowDisk() {
  const writes: { lengths: number[]; done: PromiseWithResolvers<void> }[] = []
  const append = (entries: readonly JournalEntry[]) => {
    const done = Promise.withResolvers<void>()
    const lengths = entries.map(({ body }) => body.length)
    writes.push({ lengths, done })
    return done.promise.then(() => lengths)
  }
  return { writes, append }
}

test('entries that arrive during a write are written together in the next, in order, up to a size', async () => {
  const { writes, append } = slowDisk()
  const journal = new GroupCommit(append)
  const added = [journal.add(entry(1))]
  await Promise.resolve()
  added.push(...[2, 3, 12 << 20, 10 << 20].map((bytes) => journal.add(entry(bytes))))
  expect(writes.map(({ lengths }) => lengths)).toEqual([[1]])
  writes[0]!.done.resolve()
  await added[0]
  await Promise.resolve()
  expect(writes[1]!.lengths).toEqual([2, 3, 12 << 20])
  writes[1]!.done.resolve()
  await added[3]
  await Promise.resolve()
  writes[2]!.done.resolve()
  await journal.idle()
  expect([journal.waitingBytes, journal.transactions]).toEqual([0, 3])
  // This disk returns the length of each entry as its sequence number.
  expect(await Promise.all(added)).toEqual([1, 2, 3, 12 << 20, 10 << 20])
})

test('entries that are added at once, as the parts of a request are, are written together', async () => {
  const { writes, append } = slowDisk()
  const journal = new GroupCommit(append)
  const added = [1, 2, 3].map((bytes) => journal.add(entry(bytes)))
  await Promise.resolve()
  writes[0]!.done.resolve()
  expect(await Promise.all(added)).toEqual([1, 2, 3])
  expect(journal.transactions).toBe(1)
})

test('an entry that arrives while the last writer ends is written too', async () => {
  const journal = new GroupCommit(async () => [1])
  for (let moments = 0; moments < 12; moments++) {
    const before = journal.add(entry(1))
    await before
    for (let moment = 0; moment < moments; moment++) await Promise.resolve()
    await journal.add(entry(1))
  }
  expect(journal.waitingBytes).toBeLessThanOrEqual(1)
})

test('a failed write rejects all its entries, and the next one proceeds', async () => {
  const { writes, append } = slowDisk()
  const journal = new GroupCommit(append)
  const first = journal.add(entry(1))
  await Promise.resolve()
  const second = journal.add(entry(2))
  writes[0]!.done.reject(new Error('no room'))
  await expect(first).rejects.toThrow('no room')
  await Promise.resolve()
  writes[1]!.done.resolve()
  await second
})

const outcomes = (added: readonly Promise<number>[]) =>
  Promise.all(
    added.map((one) =>
      one.then(
        () => 'kept',
        (error: Error) => error.name,
      ),
    ),
  )

test('an entry that cannot be stored fails alone, whatever shares its write', async () => {
  const kept: number[] = []
  const journal = new GroupCommit(async (entries) => {
    const lengths = entries.map(({ body }) => body.length)
    if (lengths.includes(3)) throw new NotStorable('holds NUL')
    kept.push(...lengths)
    return lengths
  })
  expect(await outcomes([1, 2, 3, 4].map((bytes) => journal.add(entry(bytes))))).toEqual([
    'kept',
    'kept',
    'NotStorable',
    'kept',
  ])
  await journal.idle()
  expect([kept, journal.waitingBytes]).toEqual([[1, 2, 4], 0])
})

test('an unavailable store is tried once for all waiting requests', async () => {
  let writes = 0
  const journal = new GroupCommit(async () => {
    writes++
    throw new StoreUnavailable('away')
  })
  const all = await outcomes([1, 2, 3, 4].map((bytes) => journal.add(entry(bytes))))
  expect([new Set(all), writes]).toEqual([new Set(['StoreUnavailable']), 1])
})

test('a full queue refuses immediately; a single request is always accepted', async () => {
  const { writes, append } = slowDisk()
  const journal = new GroupCommit(append, 100)
  const large = journal.add(entry(500))
  await expect(journal.add(entry(1))).rejects.toThrow(Overloaded)
  writes[0]!.done.resolve()
  await large
  await Promise.resolve()
  void journal.add(entry(90))
  await expect(journal.add(entry(11))).rejects.toThrow(Overloaded)
})

test('an organisation with half of the waiting budget is refused, others are not', async () => {
  const { writes, append } = slowDisk()
  const journal = new GroupCommit(append, 100)
  const other = (bytes: number) => ({ ...entry(bytes), partition: { organisation: 'other', source: 'push' } })
  const taken = [journal.add(entry(50)), journal.add(other(30))]
  await expect(journal.add(entry(1))).rejects.toThrow(Overloaded)
  taken.push(journal.add(other(20)))
  await expect(journal.add(other(1))).rejects.toThrow(Overloaded)
  writes[0]!.done.resolve()
  while (writes.length < 2) await Promise.resolve()
  writes[1]!.done.resolve()
  await Promise.all(taken)
  await journal.idle()
  expect([journal.waitingBytes, writes.length]).toEqual([0, 2])
})

const pods = (from: number, count: number, format: MessageFormat = 'remote-write-1') =>
  encodeRequest(podSeries(from, count, 1000), format).slice()

test('series without samples free capacity for others', () => {
  const validator = new RequestValidator(100)
  const check = (from: number, count: number, hour: number) =>
    validator.check(
      { organisation: 'acme', cluster: '', body: pods(from, count), format: 'remote-write-1' },
      hour * hourMs,
    ).received.understood
  expect(check(0, 100, 10)).toBe(100)
  expect(check(100, 1, 11)).toBe(0)
  expect(check(0, 50, 11)).toBe(50)
  expect(check(100, 50, 12)).toBe(50)
  expect(check(150, 1, 12)).toBe(0)
  expect(
    validator.check(
      { organisation: 'other', cluster: '', body: pods(0, 100), format: 'remote-write-1' },
      12 * hourMs,
    ).received.understood,
  ).toBe(100)
  expect(validator.series).toBe(200)
})

test('the same labels are other series in another cluster, and count', () => {
  const validator = new RequestValidator(100)
  const check = (cluster: string) =>
    validator.check({ organisation: 'acme', cluster, body: pods(0, 40), format: 'remote-write-1' }, hourMs)
      .received.understood
  expect(['a', 'b', 'c', 'd', 'a', 'b'].map(check)).toEqual([40, 40, 20, 0, 40, 40])
  expect(validator.series).toBe(100)
})

test('an owner whose name is too long to be stored is refused before it is in the journal', () => {
  const validator = new RequestValidator(100)
  const owner = (name: string) => [
    {
      labels: [
        ['__name__', 'kube_pod_owner'],
        ['namespace', 'shop'],
        ['pod', 'web-1'],
        ['owner_kind', 'ReplicaSet'],
        ['owner_name', name],
      ] as const,
      samples: [{ timeMs: 1000, value: 1 }],
    },
  ]
  const check = (name: string) => {
    const body = encodeRequest(owner(name)).slice()
    const request = { organisation: 'acme', cluster: 'c', body, format: 'remote-write-1' } as const
    const { understood, oversized } = validator.check(request, hourMs).received
    return [understood, oversized]
  }
  expect(check('web')).toEqual([1, 0])
  expect(check('w'.repeat(2500))).toEqual([0, 1])
})

test.each(['remote-write-1', 'remote-write-2'] as const)(
  'who is full learns nothing new, and goes on with what it knows, also where both come together: %s',
  (format) => {
    let full: Refusal | undefined
    const validator = new RequestValidator(100, () => full)
    const check = (from: number, count: number) => {
      const { received, parts } = validator.check(
        { organisation: 'acme', cluster: '', body: pods(from, count, format), format },
        hourMs,
      )
      const kept = parts.reduce((sum, { body }) => sum + again(body), 0)
      return [received.understood, received.refused, received.refusal, received.samples, kept]
    }
    const again = (body: Uint8Array) =>
      new RequestValidator(100).check({ organisation: 'other', cluster: '', body, format }, hourMs).received
        .samples
    expect(check(0, 10)).toEqual([10, 0, undefined, 10, 10])
    full = { code: 'overloaded', message: 'no room' }
    expect(check(5, 20)).toEqual([5, 15, full, 20, 5])
    expect(check(0, 10)).toEqual([10, 0, undefined, 10, 10])
    expect(check(50, 3)).toEqual([0, 3, full, 3, 0])
    full = undefined
    expect(check(5, 20)).toEqual([20, 0, undefined, 20, 20])
  },
)

test('unused series are not refused', () => {
  const validator = new RequestValidator(100, () => ({ code: 'too-many-series', message: 'no' }))
  const body = encodeRequest([
    { labels: [['__name__', 'container_memory_working_set_bytes']], samples: [{ timeMs: 1000, value: 1 }] },
  ])
  const { received } = validator.check(
    { organisation: 'acme', cluster: '', body, format: 'remote-write-1' },
    hourMs,
  )
  expect([received.ignored, received.refused, received.refusal]).toEqual([1, 0, undefined])
  expect(validator.series).toBe(0)
})
