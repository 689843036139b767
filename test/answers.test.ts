import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { type SharedService, sharedService } from './service.ts'

let service: SharedService
beforeAll(async () => {
  service = await sharedService()
})

const types = ['m5.large', 'm5.xlarge', 'm5.2xlarge', 'c5.xlarge', 'c5.2xlarge', 'r5.large', 'r5.xlarge']
const question = (type: string) => ({
  availability_zone: '',
  instance_type: type,
  operating_system: 'Linux',
  predicates: { availability_zones: [], instance_types: [], providers: [], regions: [], usage_types: [] },
  provider: 'aws',
  region: 'us-east-1',
  service: '',
  usage: { cpu_cores: 1, ram_gb: 3 },
  usage_type: 'ondemand',
  vm: { cpu_cores: 2, ram_gb: 8 },
})

/** Sends requests one after the other without waiting for answers. */
function askAll(asked: readonly string[]): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  for (const type of asked) {
    const body = JSON.stringify(question(type))
    socket.write(
      `POST /recommendations HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${service.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
  return socket
}

/** The bodies of this many answers. */
async function bodiesOf(socket: Socket, count: number): Promise<string[]> {
  let text = Buffer.alloc(0)
  const bodies: string[] = []
  for await (const chunk of socket) {
    text = Buffer.concat([text, chunk])
    for (;;) {
      const end = text.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(text.toString('latin1', 0, end))?.[1])
      if (end < 4 || !(text.length >= end + length)) break
      bodies.push(text.toString('utf8', end, end + length))
      text = text.subarray(end + length)
    }
    if (bodies.length === count) break
  }
  return bodies
}

test('clients that read slowly or disconnect neither get nor cause wrong answers', async () => {
  const expected = new Map<string, string>()
  for (const type of types) {
    const { status, text } = await service.request('/recommendations', { body: question(type) })
    expect(status).toBe(200)
    expected.set(type, text)
  }
  expect(new Set(expected.values()).size).toBe(types.length)

  const asked = Array.from({ length: 30 }, (_, i) => types[i % types.length]!)
  const slow = Array.from({ length: 7 }, () => askAll(asked))
  const leavers = Array.from({ length: 20 }, () => askAll(asked))
  for (const socket of leavers) socket.once('data', () => socket.destroy())
  for (let round = 0; round < 20; round++)
    await Promise.all(
      types.map(async (type) => {
        const { text } = await service.request('/recommendations', { body: question(type) })
        expect(text).toBe(expected.get(type))
      }),
    )
  const left = leavers.map((socket) => (socket.closed ? undefined : once(socket, 'close')))
  await Promise.all(left)
  for (const socket of slow)
    expect(await bodiesOf(socket, asked.length)).toEqual(asked.map((type) => expected.get(type)))
})
