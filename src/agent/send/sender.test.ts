import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../receiver.case.ts'
import type { DeliveryResult } from './remote-write.ts'
import { Sender } from './sender.ts'
import { Spool } from './spool.ts'

const root = mkdtempSync(join(tmpdir(), 'cheapside-sender-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0

const taken: DeliveryResult = { kind: 'taken' }
const away: DeliveryResult = { kind: 'later', reason: 'connection refused' }
const revoked: DeliveryResult = { kind: 'later', reason: 'the key is not accepted', needsOperator: true }

/** A sender with a simulated server, the requests that the server accepted, in order, and the log. */
function start(options: { directory?: string | undefined; spool?: boolean } = {}) {
  const directory = options.directory ?? join(root, String(++directories))
  const spool =
    options.spool === false ? undefined : new Spool({ directory, maxBytes: 1 << 20, segmentBytes: 200 })
  const fixture = { answer: taken as DeliveryResult, tries: 0, got: [] as number[], said: [] as string[] }
  const sender = new Sender({
    deliver: async (body) => {
      fixture.tries++
      if (fixture.answer.kind === 'taken') fixture.got.push(Number(Buffer.from(body).toString()))
      return fixture.answer
    },
    spool,
    log: (_level, message) => fixture.said.push(message),
    firstPauseMs: 1,
    maxPauseMs: 4,
    operatorPauseMs: 2,
  })
  const stop = new AbortController()
  const running = sender.run(stop.signal)
  const offer = (from: number, to: number) => {
    for (let number = from; number < to; number++) sender.offer(Buffer.from(String(number)))
  }
  const tried = (more: number) => {
    const before = fixture.tries
    return eventually(() => fixture.tries >= before + more)
  }
  const end = () => {
    stop.abort()
    return running
  }
  return { fixture, sender, spool, directory, offer, tried, end }
}
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

test('while the server accepts requests, nothing is written to disk', async () => {
  const { fixture, offer, spool, end } = start()
  offer(0, 20)
  await eventually(() => fixture.got.length === 20)
  expect(fixture.got).toEqual(upTo(0, 20))
  expect(spool!.bytes).toBe(0)
  await end()
})

test('the server is unavailable for a while: all requests arrive once, in order, and outage and recovery are reported once', async () => {
  const { fixture, offer, tried, end } = start()
  offer(0, 3)
  await eventually(() => fixture.got.length === 3)
  fixture.answer = away
  offer(3, 40)
  await tried(3)
  fixture.answer = { ...away, reason: 'no response in time' }
  offer(40, 60)
  await tried(3)
  fixture.answer = taken
  offer(60, 70)
  await eventually(() => fixture.got.length === 70)
  expect(fixture.got).toEqual(upTo(0, 70))
  expect(fixture.said).toEqual([
    'connection refused; measurements are kept until they can be sent',
    'the server accepts requests again',
  ])
  await end()
})

test('the agent ends while the server is unavailable: the next run sends the waiting requests first', async () => {
  const first = start()
  first.fixture.answer = away
  first.offer(0, 10)
  await first.tried(2)
  await first.end()
  const second = start({ directory: first.directory })
  second.offer(10, 12)
  await eventually(() => second.fixture.got.length === 12)
  expect(second.fixture.got).toEqual(upTo(0, 12))
  await second.end()
})

test('a revoked key is reported once, and nothing is lost', async () => {
  const { fixture, offer, tried, end } = start()
  fixture.answer = revoked
  offer(0, 5)
  await tried(6)
  fixture.answer = taken
  await eventually(() => fixture.got.length === 5)
  expect(fixture.said).toEqual([
    'the key is not accepted; measurements are kept until they can be sent',
    'the server accepts requests again',
  ])
  await end()
})

test('requests that the server will never accept are dropped, counted and reported once', async () => {
  const { fixture, sender, offer, end } = start()
  fixture.answer = { kind: 'refused', reason: 'the server answered 400' }
  offer(0, 7)
  await eventually(() => sender.counts.refused === 7)
  expect(fixture.said).toEqual(['the server answered 400; this request is dropped'])
  fixture.answer = taken
  offer(7, 8)
  await eventually(() => fixture.got.length === 1)
  await end()
})

test('the disk cannot be written: the newest requests wait in memory, and this is reported once', async () => {
  const { fixture, sender, directory, offer, tried, end } = start()
  mkdirSync(join(directory, '0000000001.seg'))
  fixture.answer = away
  offer(0, 100)
  await tried(3)
  offer(100, 101)
  fixture.answer = taken
  await eventually(() => fixture.got.at(-1) === 100)
  expect(fixture.got).toEqual(upTo(101 - fixture.got.length, 101))
  expect(fixture.got.length).toBeGreaterThanOrEqual(40)
  expect(sender.counts.dropped).toBe(101 - fixture.got.length)
  expect(fixture.said.filter((message) => message.startsWith('the spool cannot be written'))).toHaveLength(1)
  await end()
})

test('without a spool the newest requests wait in memory', async () => {
  const { fixture, offer, tried, end } = start({ spool: false })
  fixture.answer = away
  offer(0, 5)
  await tried(2)
  fixture.answer = taken
  await eventually(() => fixture.got.length === 5)
  expect(fixture.got).toEqual(upTo(0, 5))
  await end()
})

test('Retry-After is respected', async () => {
  const { fixture, offer, tried, end } = start()
  fixture.answer = { ...away, retryAfterMs: 3_600_000 }
  offer(0, 1)
  await tried(1)
  const before = fixture.tries
  offer(1, 3)
  await new Promise((resolve) => setImmediate(resolve))
  expect(fixture.tries).toBe(before)
  await end()
})

test('a request that is dropped while it is being sent takes no other with it', async () => {
  const got: number[] = []
  const sending = Promise.withResolvers<DeliveryResult>()
  let tries = 0
  const sender = new Sender({
    deliver: async (body) => {
      tries++
      if (tries === 1) return away
      if (tries === 2) return sending.promise
      got.push(Number(Buffer.from(body).toString()))
      return taken
    },
    spool: undefined,
    log: () => {},
    firstPauseMs: 1,
  })
  const stop = new AbortController()
  const running = sender.run(stop.signal)
  sender.offer(Buffer.from('0'))
  await eventually(() => tries === 2)
  for (let number = 1; number <= 45; number++) sender.offer(Buffer.from(String(number)))
  sending.resolve(taken)
  await eventually(() => got.length >= 40)
  expect(got).toEqual(upTo(6, 46))
  stop.abort()
  await running
})
