import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type BuildManifest, newestCatalogue, type RefreshNote } from '../../domain/manifest.ts'
import { enabledProviders } from '../../pricing/market.ts'
import { oldOffer } from '../../providers/fetching/old-offer.case.ts'
import type { Store } from '../../store/port.ts'
import { openSqliteStore } from '../../store/sqlite/store.ts'
import { watchChanges } from '../../store/watch.ts'
import { Catalogue, CatalogueHolder } from '../catalogue.ts'
import { decodeSnapshot, encodeSnapshot } from '../snapshot/snapshot.ts'
import { snapshotBytes } from './fake-providers.case.ts'
import { catalogueFollower, unpackInThread } from './follow.ts'
import { type PublishDeps, refreshAndPublish, refreshLease } from './pipeline.ts'
import { priceChangesBetween } from './price-changes.ts'
import type { RefreshedCatalogue } from './provider-prices.ts'
import { freshnessOf, nextRefreshAt, refreshJob } from './schedule.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-refresh-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const opened: Store[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((store) => store.close()))))

async function nodes(count: number): Promise<Store[]> {
  const directory = join(scratch, crypto.randomUUID())
  const stores = []
  for (let n = 0; n < count; n++) stores.push(await openSqliteStore({ directory }))
  opened.push(...stores)
  return stores
}

const now = Date.parse('2026-11-15T06:00:00Z')
const before = oldOffer('aws', 'us-east-1', 'm5.xlarge', 0.19)
const shippedBytes = snapshotBytes([before], '2026-11-01T00:00:00.000Z')

/** A refresh that finds one price. */
function found(pricePerHourUsd: number, builtAt = '2026-11-15T06:00:00.000Z'): RefreshedCatalogue {
  const bytes = snapshotBytes([{ ...before, pricePerHourUsd }], builtAt)
  const { id, manifest } = decodeSnapshot(bytes)
  const changes = priceChangesBetween([before], [{ ...before, pricePerHourUsd }], {
    provider: 'aws',
    at: now,
    withAdditions: true,
  })
  return { id, bytes, manifest, changes, fresh: 1 }
}

const deps = (store: Store, more: Partial<PublishDeps> = {}): PublishDeps => ({
  store,
  shipped: async () => shippedBytes,
  refresh: async () => found(0.192),
  now: () => now,
  holder: `node ${opened.indexOf(store)}`,
  ...more,
})

test('every node serves the new catalogue, and price changes are recorded', async () => {
  const [one, two] = (await nodes(2)) as [Store, Store]
  const served = decodeSnapshot(shippedBytes)
  let manifest = served.manifest
  const holder = new CatalogueHolder(Catalogue.fromSnapshot(served, {}))
  const swapped = Promise.withResolvers<void>()
  const follow = catalogueFollower({
    store: two,
    served: () => manifest,
    unpack: (bytes) => unpackInThread(bytes, enabledProviders([]).providers),
    serve: (next) => {
      manifest = next.manifest
      holder.swap(next.catalogue)
      swapped.resolve()
    },
    onUnreadable: swapped.reject,
  })
  const watch = watchChanges(two.changes, {
    pollMs: 200,
    onError: swapped.reject,
    onChange: (topic) => (topic === 'catalogue' ? follow() : undefined),
  })
  expect(await refreshAndPublish(deps(one))).toMatchObject({ kind: 'published' })
  await swapped.promise
  watch.stop()
  expect([...holder.current().offers()].map((offer) => offer.pricePerHourUsd)).toEqual([0.192])
  const query = { provider: 'aws', instanceType: 'm5.xlarge', from: 0, until: now + 1 }
  expect(await two.prices.history(query)).toHaveLength(1)
})

test('if no list was read, the date stays and every node records the outcome', async () => {
  const [one, two] = (await nodes(2)) as [Store, Store]
  const { manifest } = decodeSnapshot(shippedBytes)
  const refresh: RefreshNote = {
    at: new Date(now).toISOString(),
    outcome: 'failed',
    reason: 'not reachable',
    freshAt: null,
    historySince: null,
    notes: [],
    validators: {},
  }
  const noted = { ...manifest, providers: manifest.providers.map((part) => ({ ...part, refresh })) }
  const bytes = encodeSnapshot([before], [], noted)
  const { id } = decodeSnapshot(bytes)
  const none = async () => ({ id, bytes, manifest: noted, changes: [], fresh: 0 })
  expect(await refreshAndPublish(deps(one, { refresh: none }))).toMatchObject({ kind: 'kept' })
  let served = manifest
  await catalogueFollower({
    store: two,
    served: () => served,
    unpack: (packed) => unpackInThread(packed, enabledProviders([]).providers),
    serve: (next) => {
      served = next.manifest
    },
    onUnreadable: ({ message }) => expect.unreachable(message),
  })()
  expect(served).toEqual(noted)
  expect(nextRefreshAt(served, 86_400_000)).toBe(now + 3 * 3_600_000)
})

describe('one node at a time', () => {
  test('while another has the lease, nothing is read', async () => {
    const [one, two] = (await nodes(2)) as [Store, Store]
    let reads = 0
    const started = Promise.withResolvers<void>()
    const going = Promise.withResolvers<void>()
    const first = refreshAndPublish(
      deps(one, {
        refresh: async () => {
          started.resolve()
          await going.promise
          return found(0.192)
        },
      }),
    )
    await started.promise
    const refresh = async () => {
      reads++
      return found(0.2)
    }
    expect(await refreshAndPublish(deps(two, { refresh }))).toEqual({ kind: 'elsewhere' })
    going.resolve()
    expect((await first).kind).toBe('published')
    expect(reads).toBe(0)
    expect((await refreshAndPublish(deps(two, { refresh }))).kind).toBe('published')
    expect(reads).toBe(1)
  })

  test("a node that lost its lease does not overwrite the other node's result", async () => {
    const [one, two] = (await nodes(2)) as [Store, Store]
    const slow = deps(one, {
      refresh: async () => {
        await one.leases.release(refreshLease, deps(one).holder)
        await refreshAndPublish(deps(two, { refresh: async () => found(0.2) }))
        return found(0.192)
      },
    })
    expect(await refreshAndPublish(slow)).toEqual({ kind: 'elsewhere' })
    expect(await two.prices.latestId()).toBe(found(0.2).id)
  })

  test('a failed refresh releases the lease and publishes nothing', async () => {
    const [one, two] = (await nodes(2)) as [Store, Store]
    const failing = deps(one, { refresh: () => Promise.reject(new Error('no')) })
    await expect(refreshAndPublish(failing)).rejects.toThrow('no')
    expect(await two.prices.latestId()).toBeUndefined()
    expect((await refreshAndPublish(deps(two))).kind).toBe('published')
  })
})

test('a refresh builds on the newer of the published and the shipped catalogue', async () => {
  const [store] = (await nodes(1)) as [Store]
  const bases: string[] = []
  const refresh = async (catalogues: readonly Uint8Array[]) => {
    bases.push(newestCatalogue(catalogues.map(decodeSnapshot)).manifest.builtAt)
    return found(0.192, `2026-11-15T0${bases.length}:00:00.000Z`)
  }
  await refreshAndPublish(deps(store, { refresh }))
  await refreshAndPublish(deps(store, { refresh }))
  const release = snapshotBytes([before], '2026-12-01T00:00:00.000Z')
  await refreshAndPublish(deps(store, { refresh, shipped: async () => release }))
  expect(bases).toEqual(['2026-11-01T00:00:00.000Z', '2026-11-15T01:00:00.000Z', '2026-12-01T00:00:00.000Z'])
})

test('a release newer than the last refresh stays in use at the start', async () => {
  const [store] = (await nodes(1)) as [Store]
  await refreshAndPublish(deps(store))
  const check = async (builtAt: string) => {
    let serves = 0
    const served = decodeSnapshot(snapshotBytes([before], builtAt)).manifest
    const follow = catalogueFollower({
      store,
      served: () => served,
      unpack: (bytes) => unpackInThread(bytes, enabledProviders([]).providers),
      serve: () => void serves++,
      onUnreadable: ({ message }) => expect.unreachable(message),
    })
    await follow()
    await follow()
    return serves
  }
  expect(await check('2026-12-01T00:00:00.000Z')).toBe(0)
  expect(await check('2026-11-01T00:00:00.000Z')).toBe(1)
})

test('an unreadable catalogue is reported once and not served; the next one is followed', async () => {
  const [store] = (await nodes(1)) as [Store]
  const told: string[] = []
  const serves: string[] = []
  const follow = catalogueFollower({
    store,
    served: () => decodeSnapshot(shippedBytes).manifest,
    unpack: (bytes) => unpackInThread(bytes, enabledProviders([]).providers),
    serve: ({ catalogue }) => serves.push(catalogue.id),
    onUnreadable: ({ message }) => told.push(message),
  })
  const unreadable = { id: 'of a newer version', publishedAt: now, bytes: Uint8Array.of(1, 2, 3) }
  await store.prices.publish(unreadable, null, [])
  await follow()
  await follow()
  expect([told.length, serves]).toEqual([1, []])
  const { id, bytes } = found(0.192)
  await store.prices.publish({ id, publishedAt: now, bytes }, unreadable.id, [])
  await follow()
  expect([told.length, serves]).toEqual([1, [id]])
})

test('old records are deleted, those of spot prices sooner', async () => {
  const [store] = (await nodes(1)) as [Store]
  const days = 86_400_000
  const records = [100, 200, 1_200].flatMap((age) =>
    (['ONDEMAND', 'SPOT_PREEMPTIBLE'] as const).map((usageType) => ({
      provider: 'aws',
      instanceType: 'm5.xlarge',
      usageType,
      at: now - age * days,
      packed: Uint8Array.of(1),
    })),
  )
  await refreshAndPublish(deps(store, { refresh: async () => ({ ...found(0.192), changes: records }) }))
  const left = await store.prices.history({ provider: 'aws', instanceType: 'm5.xlarge', from: 0, until: now })
  expect(left.map(({ at, usageType }) => `${(now - at) / days} ${usageType}`)).toEqual([
    '200 ONDEMAND',
    '100 ONDEMAND',
    '100 SPOT_PREEMPTIBLE',
  ])
})

test('the job refreshes when it is due, one at a time', async () => {
  const [store] = (await nodes(1)) as [Store]
  let clock = now
  let served = decodeSnapshot(shippedBytes).manifest
  const outcomes: string[] = []
  const job = refreshJob({
    ...deps(store),
    now: () => clock,
    due: async () =>
      clock < nextRefreshAt(served, 86_400_000)
        ? undefined
        : async () => found(0.192, new Date(clock).toISOString()),
    onDone: ({ kind }) => outcomes.push(kind),
  })
  await Promise.all([job.run(), job.run()])
  expect(outcomes).toEqual(['published'])
  const refresh = {
    outcome: 'fresh',
    reason: '',
    freshAt: null,
    historySince: null,
    notes: [],
    validators: {},
  } as const
  served = {
    ...served,
    providers: served.providers.map((one) => ({
      ...one,
      refresh: { ...refresh, at: new Date(now).toISOString() },
    })),
  }
  clock += 86_399_999
  await job.run()
  expect(outcomes).toHaveLength(1)
  clock += 1
  await job.run()
  expect(outcomes).toHaveLength(2)
})

describe('when and how fresh', () => {
  const at = '2026-11-15T06:00:00.000Z'
  const manifest = (...outcomes: ('fresh' | 'failed' | 'needs-credential')[]): BuildManifest => ({
    ...decodeSnapshot(shippedBytes).manifest,
    providers: outcomes.map((outcome) => ({
      ...decodeSnapshot(shippedBytes).manifest.providers[0]!,
      refresh: {
        at,
        outcome,
        reason: outcome === 'fresh' ? '' : 'why',
        freshAt: outcome === 'fresh' ? at : null,
        historySince: null,
        notes: [],
        validators: {},
      },
    })),
  })
  const hour = 3_600_000

  test('a day later, a few hours later if a list failed, immediately if there was no refresh', () => {
    const next = (m: BuildManifest) => (nextRefreshAt(m, 24 * hour) - Date.parse(at)) / hour
    expect(next(manifest('fresh', 'needs-credential'))).toBe(24)
    expect(next(manifest('fresh', 'failed'))).toBe(3)
    expect(nextRefreshAt(decodeSnapshot(shippedBytes).manifest, 24 * hour)).toBe(0)
  })

  test('freshness names the outcome, the reason and the age', () => {
    expect(freshnessOf(manifest('fresh', 'failed'), Date.parse(at) + hour)).toMatchObject([
      { provider: 'aws', outcome: 'fresh', reason: '', ageSeconds: 3600 },
      { provider: 'aws', outcome: 'failed', reason: 'why', ageSeconds: null },
    ])
    expect(freshnessOf(decodeSnapshot(shippedBytes).manifest, now)).toMatchObject([{ outcome: 'never' }])
  })
})
