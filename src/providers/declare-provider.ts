import type { Provider } from '../domain/provider.ts'

type Names = 'key' | 'displayName' | 'service' | 'aliases' | 'serviceAliases'

/**
 * Declares a provider with the usual properties: off unless turned on, no zones below its regions, no
 * families with common rates, nothing burstable, and nodes whose providerID begins with its key. A
 * declaration contains only the differences.
 */
export function declareProvider(declared: Pick<Provider, Names> & Partial<Provider>): Provider {
  const scheme = `${declared.key}://`
  return {
    onByDefault: false,
    isZoneInRegion: zoneIsRegion,
    familyOf: () => '',
    burstableBaselineOf: () => null,
    nodeOf: (providerId) => (providerId.startsWith(scheme) ? {} : undefined),
    ...declared,
  }
}

/** For a provider without zones below its regions: callers then write the region again as the zone. */
const zoneIsRegion = (zone: string, region: string): boolean => zone.toLowerCase() === region.toLowerCase()

/**
 * Reads the providerID of a Kubernetes node, which each cloud's controller manager writes in its own form
 * (kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1). The pattern's first group, if
 * it has one, is the zone.
 */
export function zoneIn(pattern: RegExp, providerId: string): { readonly zone?: string } | undefined {
  const match = pattern.exec(providerId)
  if (match === null) return undefined
  return match[1] ? { zone: match[1] } : {}
}

/** Returns a table's value for a type in any letter case; null if it has none. */
export function lookUp(table: Readonly<Record<string, number>>, instanceType: string): number | null {
  const key = instanceType.toLowerCase()
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null
}
