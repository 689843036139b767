import { keyRoutes } from '../http/routes/keys.ts'
import { bootstrapKey } from '../operations/keys/bootstrap-key.ts'
import type { KeyDeps } from '../operations/keys/deps.ts'
import { KeyCache } from '../operations/keys/key-cache.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const flushUsesMs = 30_000

/** Who may enter. */
export function keysPart({ store, now, settings, metrics, log }: ServiceContext) {
  const ring = new KeyCache(store, now)
  const deps: KeyDeps = { store, now, onChange: (...changed) => ring.put(changed) }
  let firstKey: string | undefined
  metrics.gauge('cheapside_keys', 'Known keys, valid or not.', () => ring.size)
  return {
    ring,
    /** Where the very first key was made here, once. */
    firstKey: () => firstKey,
    routes: [keyRoutes(deps)],
    start: async () => {
      firstKey = await bootstrapKey(deps, settings.bootstrapKey)
      // The first key is made: a failed reading must not hide it, and the next poll reads again.
      await ring.load().catch((err) => log('warn', 'reading the keys failed; it will be retried', { err }))
    },
    onChange: async (topic) => {
      if (topic === 'keys') await ring.load()
    },
    jobs: [{ name: 'recording when keys were last used', everyMs: flushUsesMs, run: () => ring.flushUses() }],
    stop: async () => {
      await ring.flushUses().catch((err) => log('warn', 'last uses of keys were not recorded', { err }))
    },
  } satisfies ServicePart & Record<string, unknown>
}
