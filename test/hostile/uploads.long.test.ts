import { afterAll, beforeAll, describe, expect } from 'vitest'
import { testOnLinux as test } from '../peers/test-with.ts'
import { ask, eventually } from '../service.ts'
import { type AttackedService, startAttackedService, type Target } from './harness.ts'
import { firstAnswers, RawClient, requestText } from './raw-client.ts'

let attacked: AttackedService
beforeAll(async () => {
  attacked = await startAttackedService()
})
afterAll(() => attacked?.end())

const withBody = () => attacked.targets.filter(({ takesBody }) => takesBody)
const isRemoteWrite = ({ path }: Target) => path === '/api/v1/write'
const headersFor = (target: Target): Record<string, string> => ({
  'X-API-KEY': attacked.hostileKey,
  'Content-Type': isRemoteWrite(target) ? 'application/x-protobuf' : 'application/json',
})
const send = (target: Target, body: string | Uint8Array, more: Record<string, string> = {}) =>
  ask(attacked.service.url, target.path, {
    method: target.method,
    headers: { ...headersFor(target), ...more },
    body,
  })

test('bodies in chunks of one byte', async () => {
  const clients = withBody().map((target) =>
    new RawClient(attacked.service.url).send(
      requestText(target.method, target.path, { ...headersFor(target), 'Transfer-Encoding': 'chunked' }),
      Buffer.from(`${'1;name=value\r\n \r\n'.repeat(100_000)}0\r\n\r\n`),
    ),
  )
  await attacked.othersAreServed()
  for (const status of await firstAnswers(clients)) expect(status).toBeGreaterThanOrEqual(400)
})

describe('JSON that is small to send and large in memory', () => {
  const bytes = 900_000
  test.each([
    ['nested arrays', '['.repeat(bytes)],
    ['nested arrays that end', `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`],
    ['nested objects', '{"a":'.repeat(bytes / 5)],
    ['empty arrays', `[${'[],'.repeat(bytes / 3)}[]]`],
    ['members', `{${Array.from({ length: bytes / 12 }, (_, n) => `"${n}":1`).join()}}`],
    ['escapes', `["${'\\u0000'.repeat(bytes / 6)}"]`],
    ['a long number', `[${'9'.repeat(bytes)}]`],
  ])('%s', async (_, body) => {
    for (const target of withBody().filter((one) => !isRemoteWrite(one))) {
      // Bodies of the test before may still be in transit for a moment.
      const status = await eventually(async () => {
        const answer = await send(target, body)
        return answer.json?.code !== 'overloaded' && answer.status
      })
      // Some bodies are valid JSON, and unknown members are ignored.
      expect(status).toBeLessThan(500)
    }
    await attacked.othersAreServed()
  })

  test('sixteen mebibytes of them, on the route for own prices', async () => {
    const target = withBody().find(({ path }) => path === '/marketplace/providers')!
    for (const body of ['['.repeat(16_000_000), `[${'[],'.repeat(5_000_000)}[]]`]) {
      expect((await send(target, body)).status).toBe(422)
    }
    await attacked.othersAreServed()
  })
})
