import type { KeyRecord } from '../domain/key.ts'
import { createLog } from './log.ts'
import { HttpMetrics } from './metrics.ts'
import { Readiness } from './readiness.ts'
import type { Authenticator } from './requests/auth.ts'
import { TokenBuckets } from './requests/rate-limit.ts'
import { buildServer, type Routes } from './server.ts'

/** The record of the only valid key, `known`. */
export const testKey: KeyRecord = {
  id: 'k',
  organisation: 'acme',
  name: 'test',
  scopes: ['pricing:read'],
  secretHash: '',
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  replacedBy: null,
}

/**
 * A server with every step that requests pass, one valid key, `known`, and the given routes, but without the rest of the
 * service.
 */
export function smallServer(routes: Routes, options: Partial<Authenticator> & { level?: string } = {}) {
  const { level = 'silent', ...authenticator } = options
  const lines: Record<string, unknown>[] = []
  const readiness = new Readiness()
  const unlimited = new TokenBuckets(0, 1)
  const { server } = buildServer({
    readiness,
    metrics: new HttpMetrics(),
    log: createLog(level, { write: (line) => void lines.push(JSON.parse(line)) }),
    corsOrigins: [],
    trustedProxies: [],
    bounds: { connections: 0, addressConnections: 0, requestSeconds: 30, writeSeconds: 30 },
    authenticator: {
      authenticate: (presented) => (presented === 'known' ? testKey : undefined),
      authenticateSession: () => undefined,
      expiredAt: () => undefined,
      keysAreFresh: () => true,
      keyBuckets: unlimited,
      addressBuckets: unlimited,
      openBuckets: unlimited,
      ...authenticator,
    },
    routes: [routes],
  })
  return { server, readiness, lines }
}
