import { afterEach, expect, test } from 'vitest'
import { WorkerClient, type WorkerOptions } from './worker-thread.ts'

class Lost extends Error {}

const clients: WorkerClient[] = []
afterEach(() => Promise.all(clients.splice(0).map((client) => client.terminate())))

function start(options: Partial<WorkerOptions> = {}): WorkerClient {
  const client = new WorkerClient({
    script: new URL('./echo-worker.case.ts', import.meta.url),
    lost: (reason) => new Lost(reason),
    ...options,
  })
  clients.push(client)
  return client
}

test('calls wait for the start, and each has its own result', async () => {
  const client = start()
  const results = Promise.all([client.call('echo', [1, 'a']), client.call('later', [2])])
  expect(client.isReady).toBe(false)
  expect(await results).toEqual([[1, 'a'], 2])
  await client.ready
  expect(client.isReady).toBe(true)
  expect(await client.call('answered', [])).toBe(2)
})

test('a long list arrives complete, in order, as the last argument', async () => {
  const items = Array.from({ length: 1234 }, (_, n) => n)
  const client = start()
  expect(await client.call('echo', ['first'], { items })).toEqual(['first', items])
  expect(await client.call('echo', [], { items: [] })).toEqual([[]])
})

test('buffers are transferred in both directions', async () => {
  const buffer = Uint8Array.of(1, 2, 3).buffer
  const back = await start().call('move', [buffer], { transfer: [buffer] })
  expect(buffer.byteLength).toBe(0)
  expect(new Uint8Array(back as ArrayBuffer)).toEqual(Uint8Array.of(1, 2, 3))
})

test('an error has the class that the table has for its name, otherwise Error', async () => {
  const known = start({ errors: { RangeError } }).call('refuse', ['too far'])
  await expect(known).rejects.toThrow(RangeError)
  await expect(known).rejects.toThrow('too far')
  const unknown = (await start()
    .call('refuse', ['too far'])
    .catch((error: Error) => error)) as Error
  expect(unknown).not.toBeInstanceOf(RangeError)
  expect(unknown.message).toBe('too far')
})

test('a result that cannot be sent, or an unknown method, is an error of that call only', async () => {
  const client = start()
  await expect(client.call('uncloneable', [])).rejects.toThrow(/could not be cloned/)
  await expect(client.call('nothing', [])).rejects.toThrow()
  expect(await client.call('echo', [1])).toEqual([1])
})

test('the worker may call the thread that started it', async () => {
  const client = start({ methods: { answer: async (question: string) => `${question}!` } })
  expect(await client.call('ask', ['well'])).toBe('well!')
})

test('when the thread dies every pending call is rejected, and so are later ones', async () => {
  const ended = Promise.withResolvers<unknown>()
  const client = start({ onEnd: ended.resolve })
  const pending = Promise.allSettled([client.call('never', []), client.call('die', [])])
  expect(await pending).toMatchObject(Array(2).fill({ status: 'rejected', reason: expect.any(Lost) }))
  await ended.promise
  expect(client.hasEnded).toBe(true)
  await expect(client.call('echo', [])).rejects.toThrow(Lost)
})

test('close lets calls finish, notifies the worker, and ends it', async () => {
  const said: string[] = []
  const client = start({ events: { closing: (word: string) => said.push(word) } })
  const call = client.call('later', [1])
  await client.close()
  expect(await call).toBe(1)
  expect(said).toEqual(['bye'])
  expect(client.hasEnded).toBe(true)
})

test('a worker that cannot start reports why', async () => {
  const client = start({ data: 'broken', errors: { RangeError } })
  await expect(client.ready).rejects.toThrow(RangeError)
  await client.ended
})
