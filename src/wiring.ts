import type { AddressInfo } from 'node:net'
import type { Service } from './cli/commands/serve.ts'
import type { Settings } from './config.ts'
import { type Clock, steadyClock } from './domain/clock.ts'
import { HttpMetrics } from './http/metrics.ts'
import { describeApi, type OpenApiDocument } from './http/openapi.ts'
import { TokenBuckets } from './http/rate-limit.ts'
import { Readiness } from './http/readiness.ts'
import { docsRoutes } from './http/routes/docs.ts'
import { healthRoutes } from './http/routes/health.ts'
import { keyRoutes } from './http/routes/keys.ts'
import { buildServer } from './http/server.ts'
import { bootstrapKey } from './operations/keys/bootstrap-key.ts'
import type { KeyDeps } from './operations/keys/deps.ts'
import { KeyRing } from './operations/keys/key-ring.ts'
import { openStore } from './store/open.ts'
import { openPatiently } from './store/patience.ts'
import { type Store, StoreUnavailable } from './store/port.ts'
import { lockFolder } from './store/sqlite/folder-lock.ts'
import { type ChangeWatch, watchChanges } from './store/watch.ts'
import { version } from './version.ts'

const pollMs = 1000
const flushUsesMs = 30_000

/** Joins every room into a running service. It listens at once and takes work when the database is there. */
export async function startService(
  settings: Settings,
  now: Clock = steadyClock(Date.now, () => performance.now()),
): Promise<Service> {
  const embedded = settings.databaseUrl === ''
  const lock = embedded ? lockFolder(settings.data) : undefined
  let store: Store | undefined
  let watch: ChangeWatch | undefined
  const openedStore = (): Store => {
    if (store === undefined) throw new StoreUnavailable('the database is not open yet')
    return store
  }
  const readiness = new Readiness()
  const metrics = new HttpMetrics()
  const secondsUnseen = () => (watch === undefined ? Number.POSITIVE_INFINITY : watch.secondsSinceRead())
  readiness.addCheck('database', () =>
    secondsUnseen() <= settings.keyTrustSeconds ? undefined : 'does not answer',
  )
  metrics.gauge('cheapside_database_seconds_unseen', 'Time since the database last answered.', secondsUnseen)

  const keyStore = {
    get keys() {
      return openedStore().keys
    },
  }
  const keyRing = new KeyRing(keyStore, now)
  const keyDeps: KeyDeps = { store: keyStore, now, onChange: () => keyRing.load() }

  let api: OpenApiDocument | undefined
  const { server, routeTable } = buildServer({
    readiness,
    metrics,
    logLevel: settings.logLevel,
    corsOrigins: settings.corsOrigins,
    trustedProxies: settings.trustedProxies,
    requestSeconds: settings.requestSeconds,
    doorman: {
      authenticate: (presented) => keyRing.authenticate(presented),
      keysAreFresh: () => secondsUnseen() <= settings.keyTrustSeconds,
      keyBuckets: new TokenBuckets(settings.rateLimit, settings.rateBurst),
      addressBuckets: new TokenBuckets(settings.addressLimit, settings.addressBurst),
    },
    routes: [
      healthRoutes(readiness, metrics),
      docsRoutes(() => (api ??= describeApi(routeTable, version))),
      keyRoutes(keyDeps),
    ],
  })
  try {
    await server.listen({ host: settings.listen.host, port: settings.listen.port })
  } catch (error) {
    lock?.release()
    throw error
  }

  const stopping = new AbortController()
  const timers: NodeJS.Timeout[] = []
  const every = (ms: number, what: string, work: () => Promise<void>) => {
    const run = () =>
      work().catch((err) => server.log.warn({ err }, `${what} failed; it will be tried again`))
    timers.push(setInterval(run, ms))
  }

  async function becomeReady(): Promise<string | undefined> {
    store = await openPatiently(
      () =>
        openStore({ dataFolder: settings.data, ...(embedded ? {} : { databaseUrl: settings.databaseUrl }) }),
      (err, attempt) => server.log.warn({ err, attempt }, 'waiting for the database'),
      stopping.signal,
    )
    const firstKey = await bootstrapKey(keyDeps, settings.bootstrapKey)
    watch = watchChanges(store.changes, {
      pollMs,
      onChange: async (topic) => {
        if (topic === 'keys') await keyRing.load()
      },
      onError: (err) => server.log.warn({ err }, 'the database cannot be asked what changed'),
    })
    every(flushUsesMs, 'recording when keys were last used', () => keyRing.flushUses())
    readiness.started()
    return firstKey
  }

  const ready = becomeReady()
  ready.catch(() => {})
  return {
    url: urlOf(server.server.address() as AddressInfo),
    ready,
    stop: async () => {
      const finished = await readiness.drain(settings.graceSeconds * 1000)
      stopping.abort()
      await server.close()
      for (const timer of timers) clearInterval(timer)
      await ready.catch(() => {})
      watch?.stop()
      await keyRing
        .flushUses()
        .catch((err) => server.log.warn({ err }, 'last uses of keys were not recorded'))
      await store?.close()
      lock?.release()
      return finished
    },
  }
}

function urlOf({ address, port, family }: AddressInfo): string {
  const anywhere = address === '0.0.0.0' || address === '::'
  const host = anywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
