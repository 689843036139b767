import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createSecureContext, type Server as TlsServer } from 'node:tls'
import type { Service } from './cli/commands/service/serve.ts'
import { type Settings, SettingsError } from './config.ts'
import { type Clock, steadyClock } from './domain/time.ts'
import type { TlsFiles } from './http/connections/listener.ts'
import { createLog } from './http/log.ts'
import { HttpMetrics } from './http/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { Readiness } from './http/readiness.ts'
import { TokenBuckets } from './http/requests/rate-limit.ts'
import { reviewRoutes } from './http/routes/pricing/reviews.ts'
import { consoleRoutes } from './http/routes/service/console.ts'
import { docsRoutes } from './http/routes/service/docs.ts'
import { healthRoutes } from './http/routes/service/health.ts'
import { mcpRoutes } from './http/routes/service/mcp.ts'
import { settingRoutes } from './http/routes/service/settings.ts'
import { buildServer, type Server } from './http/server.ts'
import { PendingStore } from './store/open.ts'
import { warningAboutFolder } from './store/sqlite/folder.ts'
import { lockFolder } from './store/sqlite/folder-lock.ts'
import { version } from './version.ts'
import { advicePart } from './wiring/advice-part.ts'
import { demoPart } from './wiring/demo-part.ts'
import { heavyReads } from './wiring/heavy-reads.ts'
import { ingestPart } from './wiring/ingest-part.ts'
import { keysPart } from './wiring/keys-part.ts'
import { machinesPart } from './wiring/machines-part.ts'
import { mcpPart } from './wiring/mcp-part.ts'
import { metricsPart } from './wiring/metrics-part.ts'
import { PartsLifecycle } from './wiring/parts-lifecycle.ts'
import { pricingPart } from './wiring/pricing-part.ts'
import type { ServiceContext, ServicePart } from './wiring/service-part.ts'
import { sizesPart } from './wiring/sizes-part.ts'
import { warmingPart } from './wiring/warming-part.ts'
import { writesPart } from './wiring/writes-part.ts'

/** Assembles all modules into a running service. It listens immediately and accepts requests when the database is available. */
export async function startService(
  settings: Settings,
  environment: ServiceContext['environment'] = {},
  now: Clock = steadyClock(Date.now, () => performance.now()),
): Promise<Service> {
  const embedded = settings.databaseUrl === ''
  const lock = embedded ? lockFolder(settings.data) : undefined
  const store = new PendingStore()
  const metrics = new HttpMetrics()
  const readiness = new Readiness()
  const logger = createLog(settings.logLevel)
  const log: ServiceContext['log'] = (level, message, more = {}) => logger[level](more, message)
  const writes = writesPart({ store, log })
  const reportError: ServiceContext['reportError'] = (level, message, err, more = {}) => {
    writes.suspect(err)
    log(level, message, { ...more, err })
  }
  const warning = embedded ? warningAboutFolder(settings.data) : undefined
  if (warning !== undefined) log('warn', warning)

  const context: ServiceContext = { settings, environment, now, metrics, store, log, reportError }
  const keys = keysPart(context)
  const lifecycle = new PartsLifecycle({ settings, store, reportError })
  const keysAreFresh = () => lifecycle.secondsUnreachable() <= settings.keyTrustSeconds
  readiness.addCheck('database', () => (keysAreFresh() ? undefined : 'does not answer'))
  readiness.addCheck('writes', writes.unwritableReason)
  metrics.gauge('cheapside_database_unreachable_seconds', 'Time since the database last answered.', () =>
    lifecycle.secondsUnreachable(),
  )

  try {
    const pricing = await pricingPart(context)
    const reads = heavyReads(context)
    const ingest = ingestPart(context)
    const sizes = sizesPart(context, pricing.deps, reads)
    const machines = machinesPart(context, pricing.deps, reads, sizes.deps.loads)
    const advice = advicePart(context, { sizes: sizes.deps, machines: machines.deps }, sizes.basis, reads)
    const warmed = {
      ...{ sizes: sizes.deps, costs: sizes.costs, machines: machines.deps.machines },
      advice: advice.deps.advice,
    }
    const parts: readonly ServicePart[] = [
      writes,
      keys,
      pricing,
      ingest,
      sizes,
      machines,
      metricsPart(context, { sizes: sizes.deps, machines: machines.deps }, reads),
      demoPart(context, keys.deps),
      advice,
      warmingPart(context, warmed, reads),
    ]

    const { server, routeTable } = buildServer({
      readiness,
      metrics,
      log: logger,
      corsOrigins: settings.corsOrigins,
      trustedProxies: settings.trustedProxies,
      bounds: settings,
      tls: readTls(settings),
      authenticator: {
        authenticate: (presented) => keys.keyCache.authenticate(presented),
        authenticateSession: (token) => keys.sessions.authenticate(token),
        expiredAt: (presented) => keys.keyCache.expiredAt(presented),
        keysAreFresh,
        ...(embedded ? {} : { loadChanges: () => lifecycle.loadChanges() }),
        keyBuckets: new TokenBuckets(settings.rateLimit, settings.rateBurst),
        addressBuckets: new TokenBuckets(settings.addressLimit, settings.addressBurst),
        openBuckets: new TokenBuckets(settings.openLimit, settings.openBurst),
      },
      routes: [
        healthRoutes(readiness, metrics),
        docsRoutes(() => describeApi(routeTable, version)),
        consoleRoutes(),
        ...parts.flatMap((part) => part.routes),
        reviewRoutes({ ...pricing.deps, now }, reads),
        settingRoutes({
          version,
          refreshHours: settings.refreshHours,
          costLabels: settings.costLabels,
          retentionDaysOf: ingest.retentionDaysOf,
        }),
        mcpRoutes(
          mcpPart(
            {
              pricing: pricing.deps,
              now,
              usage: (use) => use({ ...sizes.deps, labels: settings.costLabels }),
              advice: (use) => use(advice.deps),
            },
            (error) => reportError('error', 'an MCP tool failed', error),
          ),
          reads,
        ),
      ],
    })
    await server.listen({ host: settings.listen.host, port: settings.listen.port })
    log('info', `listening on ${urlOf(server)}`)
    const ready = lifecycle.start(parts).then((hasStarted) => {
      if (!hasStarted) return undefined
      readiness.started()
      return keys.firstKey()
    })
    ready.catch(() => {})
    return {
      url: urlOf(server),
      ready,
      reload: async () => {
        reloadTls(server)
        await pricing.reload()
      },
      stop: async ({ keepListening } = { keepListening: false }) => {
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
      },
    }
  } catch (error) {
    lock?.release()
    throw error
  }

  function reloadTls({ server }: Server): void {
    try {
      const tls = readTls(settings)
      if (tls !== undefined) (server as unknown as TlsServer).setSecureContext(tls)
    } catch (err) {
      log('error', 'the new certificate is not usable; the previous one stays in use', { err })
    }
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
