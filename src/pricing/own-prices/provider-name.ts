import type { PricingDeps } from '../market.ts'

/**
 * Path segments below /marketplace/providers that have a meaning of their own, so a provider must not be called so.
 * Entries that were registered under such a name earlier are listed, and removed by id, at
 * /marketplace/providers/compute.
 */
export const reservedNames: readonly string[] = ['compute', 'disks', 'databases', 'models']

export function providerNameError(
  name: string,
  findProvider: PricingDeps['findProvider'],
): string | undefined {
  // Clients remove these segments from a path before they send it, so the entries could be neither listed nor removed.
  if (name === '.' || name === '..') return 'must not be "." or ".."'
  if (reservedNames.includes(name.trim().toLowerCase())) return 'is reserved: it names a kind of prices'
  const builtIn = findProvider(name)
  return builtIn && `must not be a name of the built-in provider ${builtIn.displayName}`
}
