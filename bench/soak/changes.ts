import { setTimeout as delay } from 'node:timers/promises'
import { markOf } from './ledger.ts'
import type { Work } from './worker.ts'

const pauseMs = 100
const providersKept = 40

/**
 * Registers providers and deletes older ones. Each change must happen completely or not at all, whatever happens
 * meanwhile.
 */
export const marketplaceWork: Work = async ({ ledger, organisation, random, running, send }) => {
  const { key, name: owner } = organisation
  const kept: string[] = []
  for (let number = 0; running(); number++) {
    const name = `${markOf(owner)}-${number}`
    const id = `${owner} ${name}`
    const count = 1 + random.below(5)
    const entries = Array.from({ length: count }, (_, index) => ({
      cost_per_hour: 0.001 * (1 + random.below(1_000)),
      cpu_cores: 1 + random.below(64),
      ram_gb: 1 + random.below(256),
      instance_type: `rack-${index}`,
      region: 'cellar',
    }))
    const { status } = await send('/marketplace/providers', { key, body: { name, entries } })
    ledger.providers.set(id, ledger.answered('register', status, 200) ? [count] : [0, count])
    kept.push(name)
    if (kept.length > providersKept) {
      const old = kept.splice(random.below(kept.length), 1)[0]!
      const oldId = `${owner} ${old}`
      const before = ledger.providers.get(oldId)!
      const options = { key, method: 'DELETE' }
      const removed = await send(`/marketplace/providers/${old}`, options)
      // A provider that was possibly never registered may be missing.
      const isGone = removed.status === 404 && before.includes(0)
      const isDone = ledger.answered('delete', isGone ? 200 : removed.status, 200)
      ledger.providers.set(oldId, isDone ? [0] : [...new Set([0, ...before])])
    }
    await delay(pauseMs)
  }
}

/** Issues keys, uses them, and revokes every second one. */
export const keyWork: Work = async ({ ledger, organisation, adminKey, running, send }) => {
  for (let number = 0; running(); number++) {
    const body = { organisation: organisation.name, name: `soak ${number}`, scopes: ['pricing:read'] }
    const issued = await send('/admin/keys', { key: adminKey, body })
    if (ledger.answered('issue key', issued.status, 201)) {
      const { id, key } = issued.json as { id: string; key: string }
      ledger.keys.set(key, [true])
      ledger.answered('use key', (await send('/key', { key })).status, 200)
      if (number % 2 === 0) {
        const revoked = await send(`/admin/keys/${id}/revoke`, { key: adminKey, method: 'POST' })
        ledger.keys.set(key, ledger.answered('revoke key', revoked.status, 200) ? [false] : [true, false])
      }
    }
    await delay(20 * pauseMs)
  }
}
