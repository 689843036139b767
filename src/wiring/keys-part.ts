import { KeyCache } from '../access/key-cache.ts'
import { SessionCache } from '../access/session-cache.ts'
import { hourMs } from '../domain/time.ts'
import { keyRoutes } from '../http/routes/service/keys.ts'
import { sessionRoutes } from '../http/routes/service/session.ts'
import { bootstrapKey, type KeyDeps } from '../operations/keys/issue-key.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const flushUsesMs = 30_000

/** Who may enter. */
export function keysPart({ store, now, settings, metrics, log }: ServiceContext) {
  const ring = new KeyCache(store, now)
  const sessions = new SessionCache(store, ring, now)
  const deps: KeyDeps = { store, now, onChange: (...changed) => ring.put(changed) }
  let firstKey: string | undefined
  metrics.gauge('cheapside_keys', 'Known keys, valid or not.', () => ring.size)
  metrics.gauge('cheapside_sessions', 'Sessions of the console, valid or not.', () => sessions.size)
  return {
    ring,
    sessions,
    deps,
    /** Where the very first key was made here, once. */
    firstKey: () => firstKey,
    routes: [
      keyRoutes(deps),
      sessionRoutes({ store, cache: sessions, now, lengthMs: settings.sessionHours * hourMs }),
    ],
    start: async () => {
      firstKey = await bootstrapKey(deps, settings.bootstrapKey)
      // The first key is made: a failed reading must not hide it, and the next poll reads again.
      await Promise.all([ring.load(), sessions.load()]).catch((err) =>
        log('warn', 'reading the keys failed; it will be retried', { err }),
      )
    },
    onChange: async (topic) => {
      if (topic === 'keys') await ring.load()
      if (topic === 'sessions') await sessions.load()
    },
    jobs: [{ name: 'recording when keys were last used', everyMs: flushUsesMs, run: () => ring.flushUses() }],
    stop: async () => {
      await ring.flushUses().catch((err) => log('warn', 'last uses of keys were not recorded', { err }))
    },
  } satisfies ServicePart & Record<string, unknown>
}
