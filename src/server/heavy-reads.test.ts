import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { Problem } from '../domain/problem.ts'
import { HeavyReads } from './heavy-reads.ts'
import { createLog } from './log.ts'
import { answerProblem } from './problems.ts'

const servers: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A server that answers with the pieces of the test; the organisation is the path. */
async function serve(pieces: (signal: AbortSignal) => AsyncGenerator<string>, waitSeconds = 60) {
  const failures: unknown[] = []
  const reads = new HeavyReads({
    slots: 2,
    waitSeconds,
    loading: { loaded: async () => undefined },
    onFailure: (error) => failures.push(error),
  })
  const server = Fastify({ forceCloseConnections: true })
  server.setErrorHandler((error, asked, reply) => answerProblem(createLog('silent'), error, asked, reply))
  server.get('/:organisation', async (asked, reply) => {
    const { organisation } = asked.params as { organisation: string }
    asked.caller = { organisation } as typeof asked.caller
    const signal = await reads.admit(asked, reply)
    return reads.send(asked, reply, pieces(signal))
  })
  servers.push(server)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return { reads, failures, url: `http://127.0.0.1:${port}` }
}

/** Resolves once a count has stayed the same for a while. */
async function settled(count: () => number): Promise<void> {
  for (let before = -1, quiet = 0; quiet < 100; ) {
    quiet = count() === before ? quiet + 1 : 0
    before = count()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

test('a failure before the first piece is a problem; after it the connection is closed', async () => {
  let written = 0
  const { url, failures } = await serve(async function* () {
    for (let index = 0; index < written; index++) yield 'x'.repeat(100)
    throw new Problem('loading', 'not yet')
  })
  const early = await fetch(`${url}/a`)
  expect([early.status, ((await early.json()) as { code: string }).code]).toEqual([503, 'loading'])
  written = 3
  const late = await fetch(`${url}/a`)
  expect(late.status).toBe(200)
  await expect(late.text()).rejects.toThrow()
  expect(failures).toHaveLength(1)
})

test('requests of an organisation beyond its slots are refused in time, others proceed', async () => {
  const gate = Promise.withResolvers<void>()
  const { url, reads } = await serve(async function* () {
    yield 'begun'
    await gate.promise
  }, 0)
  const held = await fetch(`${url}/a`)
  const refused = await fetch(`${url}/a`)
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'busy'])
  expect(refused.headers.get('retry-after')).toBe('5')
  const passed = await fetch(`${url}/b`)
  expect(passed.status).toBe(200)
  gate.resolve()
  expect([await held.text(), await passed.text()]).toEqual(['begun', 'begun'])
  while (reads.queue.inFlight > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('a caller that disconnects leaves the queue, and its work is aborted', async () => {
  const ended = Promise.withResolvers<void>()
  const { url, reads } = await serve(async function* (signal) {
    signal.addEventListener('abort', () => ended.resolve())
    yield 'begun'
    await ended.promise
  })
  const working = request(`${url}/a`).end()
  await once(working, 'response')
  const waiting = request(`${url}/a`)
    .on('error', () => undefined)
    .end()
  while (reads.queue.waiting === 0) await new Promise((resolve) => setImmediate(resolve))
  waiting.destroy()
  while (reads.queue.waiting > 0) await new Promise((resolve) => setImmediate(resolve))
  working.destroy()
  await ended.promise
  while (reads.queue.inFlight > 0) await new Promise((resolve) => setImmediate(resolve))
  expect([reads.queue.waiting, reads.queue.inFlight]).toEqual([0, 0])
})

test('a caller that disconnects is not reported as a failure', async () => {
  const { url, reads, failures } = await serve(async function* (signal) {
    yield 'begun'
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const working = request(`${url}/a`).end()
  await once(working, 'response')
  working.destroy()
  while (reads.queue.inFlight > 0) await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  expect(failures).toEqual([])
})

test('clients that read slowly keep no slot from others, and an organisation has few of them', async () => {
  let made = 0
  const { url } = await serve(async function* (signal) {
    while (!signal.aborted) {
      made++
      yield 'x'.repeat(64 * 1024)
    }
  }, 5)
  const slow = await Promise.all(
    ['a', 'a', 'b', 'b'].map(async (organisation) => {
      const reading = request(`${url}/${organisation}`).end()
      const [answer] = await once(reading, 'response')
      answer.pause()
      return reading
    }),
  )
  await settled(() => made)
  const other = request(`${url}/c`).end()
  const [answer] = await once(other, 'response')
  expect(answer.statusCode).toBe(200)
  const more = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const reading = request(`${url}/a`).end()
      const [response] = await once(reading, 'response')
      response.pause()
      slow.push(reading)
      return response.statusCode as number
    }),
  )
  expect(more.filter((status) => status === 503).length).toBeGreaterThan(0)
  for (const reading of [...slow, other]) reading.destroy()
})

test('no more pieces are made than the client reads', async () => {
  let made = 0
  const { url } = await serve(async function* (signal) {
    while (!signal.aborted) {
      made++
      yield 'x'.repeat(64 * 1024)
    }
  })
  const reading = request(`${url}/a`).end()
  const [answer] = await once(reading, 'response')
  answer.pause()
  // The buffers of the sockets fill up, and then no more pieces are made.
  await settled(() => made)
  expect(made).toBeLessThan(1000)
  reading.destroy()
})
