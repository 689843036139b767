import { hourMs } from '../../domain/time.ts'
import { bootstrapKey, type KeyDeps } from '../access/issue-key.ts'
import { KeyCache } from '../access/key-cache.ts'
import { SessionCache } from '../access/session-cache.ts'
import { keyRoutes } from '../routes/service/keys.ts'
import { sessionRoutes } from '../routes/service/session.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const flushUsesMs = 30_000

export function keysPart({ store, now, settings, metrics, reportError }: ServiceContext) {
  const keyCache = new KeyCache(store, now)
  const sessions = new SessionCache(store, keyCache, now)
  const deps: KeyDeps = { store, now, onChange: (...changed) => keyCache.put(changed) }
  let firstKey: string | undefined
  metrics.gauge('cheapside_keys', 'Known keys, valid or not.', () => keyCache.size)
  metrics.gauge('cheapside_sessions', 'Sessions of the console, valid or not.', () => sessions.size)
  return {
    keyCache,
    sessions,
    deps,
    /** The very first key of the database, if this node has just created it. */
    firstKey: () => firstKey,
    routes: [
      keyRoutes(deps),
      sessionRoutes({ store, cache: sessions, now, lengthMs: settings.sessionHours * hourMs }),
    ],
    start: async () => {
      firstKey = await bootstrapKey(deps, settings.bootstrapKey)
      // The first key has been created, so a failed read must not end the start. The next poll reads again.
      await Promise.all([keyCache.load(), sessions.load()]).catch((error) =>
        reportError('warn', 'reading the keys failed; it will be retried', error),
      )
    },
    onChange: async (topic) => {
      if (topic === 'keys') await keyCache.load()
      if (topic === 'sessions') await sessions.load()
    },
    jobs: [
      { name: 'recording when keys were last used', everyMs: flushUsesMs, run: () => keyCache.flushUses() },
    ],
    stop: async () => {
      await keyCache
        .flushUses()
        .catch((error) => reportError('warn', 'recording when keys were last used failed', error))
    },
  } satisfies ServicePart & Record<string, unknown>
}
