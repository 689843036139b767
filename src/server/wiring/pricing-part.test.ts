import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { snapshotBytes } from '../../catalogue/refresh/fake-providers.case.ts'
import { decodeSnapshot } from '../../catalogue/snapshot/snapshot.ts'
import { readSettings } from '../../config.ts'
import { oldOffer } from '../../providers/fetching/old-offer.case.ts'
import type { Store } from '../../store/port.ts'
import { openSqliteStore } from '../../store/sqlite/store.ts'
import { HttpMetrics } from '../metrics.ts'
import { heavyReads } from './heavy-reads.ts'
import { pricingPart } from './pricing-part.ts'
import type { ServiceContext } from './service-part.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-pricing-part-'))
const opened: Store[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((store) => store.close()))))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A catalogue with one price, built on the given day of November. */
const built = (day: string, usd: number): Uint8Array =>
  snapshotBytes([oldOffer('aws', 'us-east-1', 'm5.xlarge', usd)], `2026-11-${day}T00:00:00.000Z`)

/** The part with its own catalogue file, its log, and `price`, the price that it serves. */
async function fakeCatalogue(bytes: Uint8Array) {
  const store = await openSqliteStore({ directory: join(scratch, crypto.randomUUID()) })
  opened.push(store)
  const file = join(scratch, `${crypto.randomUUID()}.catalogue`)
  writeFileSync(file, bytes)
  const said: string[] = []
  const context: ServiceContext = {
    settings: readSettings({ CHEAPSIDE_CATALOGUE: file, CHEAPSIDE_REFRESH_HOURS: '0' }),
    environment: {},
    now: () => Date.parse('2026-11-15T06:00:00Z'),
    metrics: new HttpMetrics(),
    store,
    log: (level, message) => said.push(`${level}: ${message}`),
    reportError: (level, message) => said.push(`${level}: ${message}`),
  }
  const part = await pricingPart(context, heavyReads(context))
  let inForce: string | null = null
  const publish = async (published: Uint8Array, id = decodeSnapshot(published).id) => {
    await store.prices.publish({ id, publishedAt: 1, bytes: published }, inForce, [])
    inForce = id
  }
  return {
    part,
    store,
    said,
    publish,
    write: (other: Uint8Array) => writeFileSync(file, other),
    price: () => [...part.deps.catalogue().offers()][0]!.pricePerHourUsd,
  }
}

test('published prices of a newer version do not keep the service from starting', async () => {
  const { part, said, publish, price } = await fakeCatalogue(built('01', 0.19))
  await publish(Uint8Array.of(1, 2, 3), 'newer')
  await part.start()
  await part.onChange('catalogue')
  expect(price()).toBe(0.19)
  expect(said).toEqual([expect.stringMatching(/^error: the published prices cannot be read \(.*snapshot/)])
})

test.each<[string, { publishedOn: string; fileOf: [string, string]; serves: number }]>([
  ['older than the published: those stay', { publishedOn: '10', fileOf: ['01', '05'], serves: 0.2 }],
  ['newer than the published', { publishedOn: '10', fileOf: ['01', '12'], serves: 0.18 }],
  ['taken back to before the published', { publishedOn: '10', fileOf: ['12', '05'], serves: 0.2 }],
  ['taken back, but not so far', { publishedOn: '10', fileOf: ['14', '12'], serves: 0.18 }],
])('a reloaded file that is %s', async (_, { publishedOn, fileOf: [first, then], serves }) => {
  const { part, publish, write, price } = await fakeCatalogue(built(first, 0.19))
  await publish(built(publishedOn, 0.2))
  await part.start()
  const prices = new Set<number>([price()])
  write(built(then, 0.18))
  const reloaded = part.reload().then(() => 'done' as const)
  while ((await Promise.race([reloaded, new Promise((turn) => setImmediate(turn))])) !== 'done')
    prices.add(price())
  expect(price()).toBe(serves)
  if (first < publishedOn && serves === 0.2) expect([...prices]).toEqual([0.2])
})

test('an unusable file does not change the served prices, and a file is served while nothing is published', async () => {
  const { part, write, price, said } = await fakeCatalogue(built('10', 0.19))
  await part.start()
  write(built('05', 0.18))
  await part.reload()
  expect(price()).toBe(0.18)
  write(Uint8Array.of(1, 2, 3))
  await part.reload()
  expect(price()).toBe(0.18)
  expect(said.at(-1)).toMatch(/^error: .*the last valid catalogue stays in use$/)
})
