import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { ask, eventually, type RunningService, smallCatalogue, startService } from './service.ts'
import { hourMs, push, series, usageOf, withStoreOf } from './usage-cluster.ts'

export const scratch = mkdtempSync(join(tmpdir(), 'cheapside-usage-faults-'))
const running: RunningService[] = []
afterEach(() => Promise.all(running.splice(0).map((service) => service.kill())))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

export const key = `csk_bootstrap001_${'s'.repeat(32)}`
export async function start(env: Record<string, string>, directory?: string): Promise<RunningService> {
  const service = await startService({
    withoutKey: true,
    env: {
      CHEAPSIDE_BOOTSTRAP_KEY: key,
      CHEAPSIDE_RATE_LIMIT: '0',
      CHEAPSIDE_ADDRESS_LIMIT: '0',
      CHEAPSIDE_CATALOGUE: smallCatalogue,
      ...env,
    },
    ...(directory === undefined ? {} : { directory }),
  })
  running.push(service)
  await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
  return service
}

const writers = 6
const startMs = Date.now() - 20 * hourMs

/** The n-th request of a writer. Each adds exactly one second of CPU time and one sample of memory. */
function nth(writer: number, n: number) {
  const labels = { namespace: `shop${writer}`, pod: `w${writer}`, container: 'app' }
  const timeMs = startMs + n * 2000
  return [
    series('container_cpu_usage_seconds_total', labels, { timeMs, value: n }),
    series('container_memory_working_set_bytes', labels, { timeMs, value: 1000 + n }),
  ]
}

/** Writers that send each request until it is acknowledged, and sometimes once more, as real senders do. */
export class Stream {
  readonly acknowledged = Array<number>(writers).fill(0)
  readonly refusals = new Set<number>()
  targets: readonly RunningService[]
  #stopped = false
  readonly #writing: Promise<unknown>

  constructor(...targets: RunningService[]) {
    this.targets = targets
    this.#writing = Promise.all(this.acknowledged.map((_, writer) => this.#write(writer)))
  }

  async #write(writer: number): Promise<void> {
    for (let turn = writer; !this.#stopped; turn++) {
      const n = this.acknowledged[writer]!
      const { url } = this.targets[turn % this.targets.length]!
      const status = await push({ url, key }, nth(writer, n)).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === 204 && turn % 7 !== 0) this.acknowledged[writer] = n + 1
      if (status !== 204) {
        this.refusals.add(status)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  get total(): number {
    return this.acknowledged.reduce((sum, count) => sum + count, 0)
  }

  async grow(by: number): Promise<void> {
    const before = this.total
    await eventually(async () => this.total >= before + by)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#writing
  }
}

/**
 * Checks that every acknowledged sample is in the digests once. One more sample of each writer may be there that was not
 * acknowledged.
 */
export async function checkDigests(stream: Stream, at: Parameters<typeof withStoreOf>[0]): Promise<void> {
  await withStoreOf(at, async (store) => {
    await eventually(async () => (await store.usage.partitions()).every(({ pending }) => !pending))
    const usage = await usageOf(store)
    for (const [writer, count] of stream.acknowledged.entries()) {
      const { memory, cpu } = usage.get(`default/shop${writer}/w${writer}/app`)!
      expect([count, count + 1]).toContain(memory.count)
      const sum = (memory.count * (1000 + 1000 + memory.count - 1)) / 2
      expect([memory.sum, cpu.sum].map(Number)).toEqual([sum, (memory.count - 1) * 1e6])
    }
  })
}

/** The service is killed again and again while samples arrive. */
export function killDuringStream(rounds: number): void {
  test(`kill -9 during a stream, ${rounds} rounds: every acknowledged sample is digested once`, async () => {
    const directory = mkdtempSync(join(scratch, 'data-'))
    let service = await start({}, directory)
    const stream = new Stream(service)
    for (let round = 0; round < rounds; round++) {
      await stream.grow(10 + ((37 * round) % 60))
      await service.kill()
      service = await start({}, directory)
      stream.targets = [service]
    }
    await stream.grow(20)
    await stream.stop()
    await checkDigests(stream, { directory })
  }, 600_000)
}
