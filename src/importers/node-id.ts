/**
 * Reads a Kubernetes node's providerID, which each cloud's controller manager writes in a form of its own
 * (kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1). The pattern's first group, if it has one, is the zone.
 */
export function zoneIn(pattern: RegExp, providerId: string): { readonly zone?: string } | undefined {
  const match = pattern.exec(providerId)
  if (match === null) return undefined
  return match[1] ? { zone: match[1] } : {}
}
