import type { UsageSource } from './sources.ts'

/** Returns the machines whose agent is silent, each with the hour of its last usage. */
export const silentMachines = (
  sources: readonly Pick<UsageSource, 'kind' | 'name' | 'last_seen' | 'is_silent'>[] = [],
): ReadonlyMap<string, string> =>
  new Map(
    sources
      .filter(({ kind, is_silent }) => kind === 'machine' && is_silent)
      .map(({ name, last_seen }) => [name, last_seen]),
  )
