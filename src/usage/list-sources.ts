import { type Clock, hourMs } from '../domain/time.ts'
import { isSilentSince } from './digest/entities.ts'
import type { UsageStore } from './port.ts'

/** A sender of usage: a cluster, or the agent of a machine. */
export interface UsageSource {
  readonly kind: 'cluster' | 'machine'
  readonly name: string
  /** Start of the hour of its last sample. */
  readonly last_seen: string
  /** Whether nothing was received in the current hour and the one before. */
  readonly is_silent: boolean
}

interface SourcesDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'entities'> }
  readonly now: Clock
}

/** Lists clusters, derived from their nodes, then machines, each by name. */
export async function listSources({ store, now }: SourcesDeps, organisation: string): Promise<UsageSource[]> {
  const lastHours = { cluster: new Map<string, number>(), machine: new Map<string, number>() }
  for (const row of await store.usage.entities(organisation, { kinds: ['node', 'machine'] })) {
    const kind = row.kind === 'machine' ? 'machine' : 'cluster'
    const name = kind === 'machine' ? nameOf(row.key) : row.cluster
    lastHours[kind].set(name, Math.max(row.lastHour, lastHours[kind].get(name) ?? 0))
  }
  const at = now()
  return (['cluster', 'machine'] as const).flatMap((kind) =>
    [...lastHours[kind]]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, lastHour]) => ({
        kind,
        name,
        last_seen: new Date(lastHour * hourMs).toISOString(),
        is_silent: isSilentSince(lastHour, at),
      })),
  )
}

/** The last part of an entity's key; see usage/digest/entities.ts. */
const nameOf = (key: string): string => key.slice(key.lastIndexOf('\0') + 1)
