import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createSecureContext, type Server as TlsServer } from 'node:tls'
import { type Settings, SettingsError } from '../../config.ts'
import { type Clock, steadyClock } from '../../domain/time.ts'
import { version } from '../../runtime/version.ts'
import { pendingStore } from '../../store/open.ts'
import { warningAboutDirectory } from '../../store/sqlite/directory.ts'
import { type DirectoryLock, lockDirectory } from '../../store/sqlite/directory-lock.ts'
import type { TlsFiles } from '../connections/listener.ts'
import { createLog } from '../log.ts'
import { HttpMetrics } from '../metrics.ts'
import { describeApi } from '../openapi.ts'
import { Readiness } from '../readiness.ts'
import type { Authenticator } from '../requests/auth.ts'
import { TokenBuckets } from '../requests/rate-limit.ts'
import { buildServer, type Server } from '../server.ts'
import { createParts, type ServiceParts } from './create-parts.ts'
import { PartsLifecycle } from './parts-lifecycle.ts'
import { serverRoutes } from './server-routes.ts'
import type { ServiceContext } from './service-part.ts'
import { writesPart } from './writes-part.ts'

export interface Service {
  readonly url: string
  /** Resolves with the first key if one was created, once the database is available. Rejects if that is impossible. */
  readonly ready: Promise<string | undefined>
  reload(): Promise<void>
  /**
   * Refuses new requests and finishes those in progress. Resolves to false if the grace time ran out first.
   * With `keepListening` the port stays open for the drain time, and new requests are answered with 503.
   */
  stop(how?: { readonly keepListening: boolean }): Promise<boolean>
}

/** Assembles all modules into a running service. It listens immediately and accepts requests when the database is available. */
export async function startService(
  settings: Settings,
  environment: ServiceContext['environment'] = {},
  now: Clock = steadyClock(Date.now, () => performance.now()),
): Promise<Service> {
  const isEmbedded = settings.databaseUrl === ''
  const lock = isEmbedded ? lockDirectory(settings.data) : undefined
  const store = pendingStore()
  const metrics = new HttpMetrics()
  const readiness = new Readiness()
  const logger = createLog(settings.logLevel)
  const log: ServiceContext['log'] = (level, message, more = {}) => logger[level](more, message)
  const writes = writesPart({ store, log })
  const reportError: ServiceContext['reportError'] = (level, message, err, more = {}) => {
    writes.suspect(err)
    log(level, message, { ...more, err })
  }
  const warning = isEmbedded ? warningAboutDirectory(settings.data) : undefined
  if (warning !== undefined) log('warn', warning)

  const context: ServiceContext = { settings, environment, now, metrics, store, log, reportError }
  const lifecycle = new PartsLifecycle({ settings, store, log, reportError })
  readiness.addCheck('database', () => (areKeysFresh(settings, lifecycle) ? undefined : 'does not answer'))
  readiness.addCheck('writes', writes.unwritableReason)
  metrics.gauge('cheapside_database_unreachable_seconds', 'Time since the database last answered.', () =>
    lifecycle.secondsUnreachable(),
  )

  try {
    const parts = await createParts(context, writes)
    const { server, routeTable } = buildServer({
      readiness,
      metrics,
      log: logger,
      corsOrigins: settings.corsOrigins,
      trustedProxies: settings.trustedProxies,
      bounds: settings,
      tls: readTls(settings),
      exchange: parts.pricing.deps.exchange,
      authenticator: authenticatorOf(settings, parts.keys, lifecycle),
      routes: serverRoutes(context, parts, readiness, () => describeApi(routeTable, version)),
    })
    await server.listen({ host: settings.listen.host, port: settings.listen.port })
    log('info', `listening on ${urlOf(server)}`)
    const ready = lifecycle.start(parts.all).then((hasStarted) => {
      if (!hasStarted) return undefined
      readiness.started()
      return parts.keys.firstKey()
    })
    ready.catch(() => {})
    return {
      url: urlOf(server),
      ready,
      reload: async () => {
        reloadTls(server, context)
        await parts.pricing.reload()
      },
      stop: ({ keepListening } = { keepListening: false }) =>
        stopService({ ...context, lifecycle, readiness, server, ready, lock }, keepListening),
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}

const areKeysFresh = ({ keyTrustSeconds }: Settings, lifecycle: PartsLifecycle): boolean =>
  lifecycle.secondsUnreachable() <= keyTrustSeconds

const authenticatorOf = (
  settings: Settings,
  { keyCache, sessions }: ServiceParts['keys'],
  lifecycle: PartsLifecycle,
): Authenticator => ({
  authenticate: (presented) => keyCache.authenticate(presented),
  authenticateSession: (token) => sessions.authenticate(token),
  expiredAt: (presented) => keyCache.expiredAt(presented),
  keysAreFresh: () => areKeysFresh(settings, lifecycle),
  // Nobody else writes to an embedded database.
  ...(settings.databaseUrl !== '' && { loadChanges: () => lifecycle.loadChanges() }),
  keyBuckets: new TokenBuckets(settings.rateLimit, settings.rateBurst),
  addressBuckets: new TokenBuckets(settings.addressLimit, settings.addressBurst),
  openBuckets: new TokenBuckets(settings.openLimit, settings.openBurst),
})

interface RunningService extends Pick<ServiceContext, 'settings' | 'log'> {
  readonly lifecycle: PartsLifecycle
  readonly readiness: Readiness
  readonly server: Server
  readonly ready: Service['ready']
  readonly lock: DirectoryLock | undefined
}

/** Returns whether all requests in progress were finished; see Service. */
async function stopService(service: RunningService, keepListening: boolean): Promise<boolean> {
  const { settings, log, lifecycle, readiness, server, ready, lock } = service
  log('info', 'stopping')
  lifecycle.abort()
  const listenSeconds = keepListening ? Math.min(settings.drainSeconds, settings.graceSeconds) : 0
  const [finished] = await Promise.all([
    readiness.drain(settings.graceSeconds * 1000),
    delay(listenSeconds * 1000),
  ])
  await server.close()
  await ready.catch(() => {})
  await lifecycle.stop()
  lock?.release()
  return finished
}

function reloadTls({ server }: Server, { settings, log }: Pick<ServiceContext, 'settings' | 'log'>): void {
  try {
    const tls = readTls(settings)
    if (tls !== undefined) (server as unknown as TlsServer).setSecureContext(tls)
  } catch (err) {
    log('error', 'the new certificate is not usable; the previous one stays in use', { err })
  }
}

/** Throws SettingsError if a file cannot be read or the key does not belong to the certificate. */
function readTls({ tlsCert, tlsKey }: Settings): TlsFiles | undefined {
  if (tlsCert === '') return undefined
  try {
    const tls = { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) }
    createSecureContext(tls)
    return tls
  } catch (error) {
    throw new SettingsError(
      `CHEAPSIDE_TLS_CERT and CHEAPSIDE_TLS_KEY cannot be used: ${(error as Error).message}`,
    )
  }
}

function urlOf({ server }: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  const scheme = 'setSecureContext' in server ? 'https' : 'http'
  const anywhere = address === '0.0.0.0' || address === '::'
  const host = anywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `${scheme}://${host}:${port}`
}
