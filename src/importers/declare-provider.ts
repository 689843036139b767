import type { Provider } from '../domain/provider.ts'

type Names = 'key' | 'displayName' | 'service' | 'aliases' | 'serviceAliases'

/**
 * A provider of which little is peculiar: off unless turned on, no zones below its regions, no families with rates of
 * their own, nothing burstable, and nodes that are named after its key. A declaration says where it differs.
 */
export function declareProvider(declared: Pick<Provider, Names> & Partial<Provider>): Provider {
  const scheme = `${declared.key}://`
  return {
    onByDefault: false,
    zoneLiesIn: zoneIsRegion,
    familyOf: () => '',
    burstableBaselineOf: () => null,
    nodeOf: (providerId) => (providerId.startsWith(scheme) ? {} : undefined),
    ...declared,
  }
}

/** For a provider without zones below its regions: callers then write the region once more. */
const zoneIsRegion = (zone: string, region: string): boolean => zone.toLowerCase() === region.toLowerCase()

/**
 * Reads a Kubernetes node's providerID, which each cloud's controller manager writes in a form of its own
 * (kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1). The pattern's first group, if it has one, is the zone.
 */
export function zoneIn(pattern: RegExp, providerId: string): { readonly zone?: string } | undefined {
  const match = pattern.exec(providerId)
  if (match === null) return undefined
  return match[1] ? { zone: match[1] } : {}
}

/** A table's value for a type in any letter case; null where it has none. */
export function lookUp(table: Readonly<Record<string, number>>, instanceType: string): number | null {
  const key = instanceType.toLowerCase()
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null
}
