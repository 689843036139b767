import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { testOnLinux as test } from '../peers/test-with.ts'
import { ask, eventually } from '../service.ts'
import { type AttackedService, startAttackedService, type Target } from './harness.ts'
import { RawClient, requestText } from './raw-client.ts'

let attacked: AttackedService
beforeAll(async () => {
  attacked = await startAttackedService()
})
afterAll(() => attacked?.end())

const mebibyte = 1024 * 1024
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

/** Waits, because the service notices a disconnected client a moment later. */
const bytesInTransit = async () =>
  Number(/^cheapside_http_body_bytes (\d+)/m.exec((await ask(attacked.service.url, '/metrics')).text)![1])

test('uploads that are aborted', async () => {
  for (let round = 0; round < 5; round++) {
    const clients = withBody().flatMap((target) =>
      Array.from({ length: 5 }, () =>
        new RawClient(attacked.service.url).send(
          requestText(target.method, target.path, { ...headersFor(target), 'Content-Length': `${mebibyte}` }),
          Buffer.alloc(mebibyte / 2, ' '),
        ),
      ),
    )
    await attacked.othersAreServed()
    for (const client of clients) client.destroy()
  }
  await attacked.othersAreServed()
})

test('uploads of an organisation beyond its share are refused, those of others are not', async () => {
  const target = withBody().find(isRemoteWrite)!
  const clients = Array.from({ length: 20 }, () =>
    new RawClient(attacked.service.url).send(
      requestText('POST', target.path, { ...headersFor(target), 'Content-Length': `${15 * mebibyte}` }),
      Buffer.alloc(14 * mebibyte),
    ),
  )
  await attacked.othersAreServed()
  await Promise.all(clients.map(({ closed }) => closed))
  const refused = clients.filter(({ received }) => received.includes('"code":"overloaded"'))
  expect(refused).toHaveLength(17)
  await attacked.othersAreServed()
})

describe('compressed bodies that are much larger when decompressed', () => {
  beforeAll(() => eventually(async () => (await bytesInTransit()) === 0))
  const zeros = Buffer.alloc(64 * mebibyte)
  test.each([
    ['gzip', () => gzipSync(zeros)],
    ['deflate', () => deflateSync(zeros)],
    ['br', () => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', () => zstdCompressSync(zeros)],
  ])('%s is not accepted anywhere', async (coding, pack) => {
    const body = pack()
    for (const target of withBody()) {
      const { status, json } = await send(target, body, { 'Content-Encoding': coding })
      expect([target.path, status, json.code]).toEqual([target.path, 415, 'unsupported-media-type'])
    }
    await attacked.othersAreServed()
  })

  test.each([
    ['said to be 4 GiB', Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0xfe, 1, 0)],
    ['31 MiB of zeros', snappyZeros(31 * mebibyte)],
  ])('snappy, %s', async (_, body) => {
    const target = withBody().find(isRemoteWrite)!
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => send(target, body, { 'Content-Encoding': 'snappy' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    await attacked.othersAreServed()
  })
})

/** A zero byte, then copies of the previous byte. */
function snappyZeros(length: number): Uint8Array {
  const size = [0, 7, 14, 21].map((shift) => ((length >> shift) & 0x7f) | (shift === 21 ? 0 : 0x80))
  const copies = Buffer.alloc(((length - 64) / 64) * 3, Uint8Array.of(0xfe, 1, 0))
  return Buffer.concat([Uint8Array.of(...size, 0, 0, 62 * 4 + 2, 1, 0), copies])
}
