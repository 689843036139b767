import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { borrowBuffer, returnBuffer } from './response-buffers.ts'

const kib = 1024

/** A reply with the members that the two functions use, on a real response of a real connection. */
async function openReply(): Promise<{ reply: FastifyReply; leave(): Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  client.resume()
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse]
  server.close()
  const leave = async () => {
    const closed = once(raw, 'close')
    client.destroy()
    await closed
  }
  return { reply: { raw, borrowed: null } as unknown as FastifyReply, leave }
}

async function finish({ raw }: FastifyReply): Promise<void> {
  const closed = once(raw, 'close')
  raw.end()
  await closed
}

test('a buffer is reused only after the answer in it was sent', async () => {
  const { reply: first } = await openReply()
  const { reply: second } = await openReply()
  const memory = borrowBuffer(first, 10)
  // If it is called too early, for instance when the client disconnected, the buffer may still be read.
  const { reply: early, leave } = await openReply()
  const unsent = borrowBuffer(early, 10)
  await leave()
  returnBuffer(early)
  expect(early.borrowed).toBeNull()
  expect(unsent).not.toBe(memory)
  expect(borrowBuffer(second, 10)).not.toBe(unsent)

  await finish(first)
  returnBuffer(first)
  const { reply: third } = await openReply()
  expect(borrowBuffer(third, 64 * kib)).toBe(memory)
  for (const reply of [second, third]) await finish(reply)
})

test('a buffer that was returned twice is borrowed only once', async () => {
  const { reply } = await openReply()
  const memory = borrowBuffer(reply, 10)
  await finish(reply)
  returnBuffer(reply)
  returnBuffer(reply)
  const { reply: next } = await openReply()
  const { reply: other } = await openReply()
  expect([borrowBuffer(next, 10) === memory, borrowBuffer(other, 10) === memory]).toEqual([true, false])
  for (const one of [next, other]) await finish(one)
})

test('large answers have their own buffer, which is not kept', async () => {
  const { reply } = await openReply()
  expect(borrowBuffer(reply, 64 * kib + 1)).toHaveLength(64 * kib + 1)
  expect(reply.borrowed).toBeNull()
  expect(borrowBuffer(reply, 64 * kib)).toHaveLength(64 * kib)
  await finish(reply)
})

test('no more than 64 pieces are kept', async () => {
  const replies = await Promise.all(Array.from({ length: 66 }, openReply))
  const lent = new Set(replies.map(({ reply }) => borrowBuffer(reply, 10)))
  expect(lent.size).toBe(66)
  for (const { reply } of replies) {
    await finish(reply)
    returnBuffer(reply)
  }
  const again = await Promise.all(Array.from({ length: 66 }, openReply))
  const known = again.filter(({ reply }) => lent.has(borrowBuffer(reply, 10)))
  expect(known).toHaveLength(64)
  for (const { reply } of again) await finish(reply)
})
