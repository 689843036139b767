import type { Architecture, OperatingSystem, UsageType } from './offer.ts'

/** In any letter case, with any of - _ / or blanks between words; undefined if the name means none. */
export const parseUsageType = memoizeNames((name) => usageTypesByName.get(fold(name)))

const accepted: Record<UsageType, readonly string[]> = {
  // A custom type is recognised by its name, so its usage type need not mark it as custom.
  ONDEMAND: [
    'ondemand',
    'od',
    'pay as you go',
    'payg',
    'consumption',
    'standard',
    'regular',
    'ondemand custom',
    'custom',
    'extended',
  ],
  RESERVED: [
    'reserved',
    'reserved custom',
    'reserved instance',
    'reserved instances',
    'reservation',
    'ri',
    'committed',
    'committed use',
    'committed use discount',
    'commitment',
    'cud',
    'savings plan',
    'savings plans',
  ],
  SPOT_PREEMPTIBLE: [
    'spot preemptible',
    'spot preemptible custom',
    'spot',
    'spot instance',
    'spot instances',
    'spot vm',
    'preemptible',
    'preemptible vm',
    'low priority',
  ],
}

/** Whether the name is a usage type that clients know but that no price list here contains. */
export const isUnpricedUsageType = (name: string): boolean => fold(name) === 'soletenancy'

const fold = (name: string): string => name.toLowerCase().replace(/[\s_/-]+/g, '')

const usageTypesByName = new Map(
  Object.entries(accepted).flatMap(([usageType, list]) =>
    list.map((name) => [fold(name), usageType as UsageType] as const),
  ),
)

/**
 * Reads names and caches the first few spellings that have a meaning: callers write a name the same way each time, and
 * reading it again takes longer than finding a price. Unknown and long names are not cached.
 */
export function memoizeNames<T>(read: (name: string) => T | undefined): (name: string) => T | undefined {
  const cache = new Map<string, T>()
  return (name) => {
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    const parsed = read(name)
    if (parsed !== undefined && cache.size < maxCached && name.length <= longestCached)
      cache.set(name, parsed)
    return parsed
  }
}

const maxCached = 200
const longestCached = 100

/**
 * Returns the operating system that a caller's name refers to for pricing; blank is Linux; undefined if unknown. Linux
 * means every Linux without a licence fee: a distribution for which clouds charge extra (RHEL, SLES, Ubuntu Pro) is
 * unknown here, because answering with the plain price would be wrong.
 */
export const parseOperatingSystem = memoizeNames((name): OperatingSystem | undefined => {
  const folded = name
    .trim()
    .toLowerCase()
    .replace(/[\s_/-]+/g, ' ')
  if (folded === '') return 'Linux'
  if (folded.length > longestName || costsExtra.test(folded)) return undefined
  if (windows.test(folded)) return 'Windows'
  return linux.test(folded) || freeDistribution.test(folded) ? 'Linux' : undefined
})

const longestName = 100

const costsExtra = /\b(red hat|redhat|rhel|suse|sles|enterprise|pro|sql|sap|byol)\b/

/** "Linux", "Linux/UNIX", "Rocky Linux 9.4", "Debian GNU/Linux 12 (bookworm)", "CBL-Mariner/Linux". */
const linux = /^unix$|\blinux\b|^\w+linux\b/

/** Distributions whose name lacks the word Linux: "Ubuntu 22.04.4 LTS", "Fedora CoreOS 40", "al2023". */
const freeDistribution =
  /^(ubuntu|debian|rocky|alma|centos|fedora|opensuse|alpine|arch|bottlerocket|flatcar|talos|nixos|gentoo|coreos|container optimized os|cos|al2|al2023|mariner)\b/

/** "Windows", "Microsoft Windows", "Windows Server 2022 Datacenter", "win2019". */
const windows =
  /^((microsoft )?windows( server)?( \d{4})?( r2)?( (datacenter|standard|core|essentials))*( edition)?|win ?(\d{4})?)$/

/** Returns the processor architecture that a caller's name means, in any letter case; undefined if it means none. */
export function parseArchitecture(name: string): Exclude<Architecture, ''> | undefined {
  return architecturesByName.get(name.toLowerCase().replace(/[\s_-]+/g, ''))
}

const architecturesByName = new Map<string, Exclude<Architecture, ''>>([
  ...(['x8664', 'amd64', 'x64', 'intel64', 'x86'] as const).map((name) => [name, 'x86_64'] as const),
  ...(['arm64', 'aarch64', 'arm'] as const).map((name) => [name, 'arm64'] as const),
  ...(['i386', 'i686', '386'] as const).map((name) => [name, 'i386'] as const),
])
