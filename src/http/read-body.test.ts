import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ByteBudget } from '../ingest/byte-budget.ts'
import { readBody } from './read-body.ts'

const most = 1000
const read = (payload: Readable, budget: ByteBudget, declaredBytes = 0) =>
  readBody(payload, declaredBytes, most, 'acme', budget)

test('a body is read whole, and its bytes are given back', async () => {
  const budget = new ByteBudget(10_000)
  const body = await read(Readable.from([Buffer.from('ab'), Buffer.from('c')]), budget)
  expect([Buffer.from(body).toString(), body.buffer.byteLength, budget.bytes]).toEqual(['abc', 3, 0])
})

test('what is too large is refused by what it declares, or once it has arrived', async () => {
  const budget = new ByteBudget(10_000)
  await expect(read(new PassThrough(), budget, most + 1)).rejects.toThrow(/larger than 1000 bytes/)
  const long = Readable.from(Array.from({ length: 11 }, () => Buffer.alloc(100)))
  await expect(read(long, budget)).rejects.toMatchObject({ code: 'body-too-large' })
  expect(budget.bytes).toBe(0)
})

test('many bodies at once are held to the budget, and the stream of who is refused is left alive', async () => {
  const budget = new ByteBudget(1000)
  const slow = [new PassThrough(), new PassThrough()]
  const reading = slow.map((payload) => read(payload, budget))
  for (const payload of slow) payload.write(Buffer.alloc(250))
  while (budget.bytes < 500) await new Promise((resolve) => setImmediate(resolve))
  const third = Readable.from([Buffer.alloc(250)])
  await expect(read(third, budget)).rejects.toMatchObject({ code: 'overloaded' })
  expect([third.errored, budget.bytes]).toEqual([null, 500])
  for (const payload of slow) payload.end()
  expect((await Promise.all(reading)).map(({ length }) => length)).toEqual([250, 250])
  expect(budget.bytes).toBe(0)
})

test('a body that is cut off is a bad request, and holds nothing', async () => {
  const budget = new ByteBudget(1000)
  const payload = new PassThrough()
  const reading = read(payload, budget)
  payload.write(Buffer.alloc(10))
  payload.destroy(new Error('aborted'))
  await expect(reading).rejects.toMatchObject({ code: 'bad-request' })
  expect(budget.bytes).toBe(0)
})
