import type { Architecture, OperatingSystem, UsageType } from './offer.ts'

/** The usage type a caller means, in any letter case and with any of - _ / or blanks between words; undefined if none. */
export const parseUsageType = memoizeNames((name) => usageTypesByName.get(fold(name)))

const accepted: Record<UsageType, readonly string[]> = {
  // The name of a custom type tells that it is one, so its usage type need not.
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

/** Usage types that clients know and no price list of ours has. */
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
  const met = new Map<string, T>()
  return (name) => {
    const known = met.get(name)
    if (known !== undefined) return known
    const found = read(name)
    if (found !== undefined && met.size < most && name.length <= longest) met.set(name, found)
    return found
  }
}

const most = 200
const longest = 100

/**
 * The operating system that a caller's name refers to for pricing; blank is Linux; undefined if unknown.
 * Linux is every Linux without a licence of its own on the bill: a distribution that clouds charge extra for
 * (RHEL, SLES, Ubuntu Pro) is not known here, because answering with the plain price would be wrong.
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

/** Those whose name lacks the word: "Ubuntu 22.04.4 LTS", "Fedora CoreOS 40", "al2023". */
const freeDistribution =
  /^(ubuntu|debian|rocky|alma|centos|fedora|opensuse|alpine|arch|bottlerocket|flatcar|talos|nixos|gentoo|coreos|container optimized os|cos|al2|al2023|mariner)\b/

/** "Windows", "Microsoft Windows", "Windows Server 2022 Datacenter", "win2019". */
const windows =
  /^((microsoft )?windows( server)?( \d{4})?( r2)?( (datacenter|standard|core|essentials))*( edition)?|win ?(\d{4})?)$/

/** The processor architecture a caller means, in any letter case; undefined if none. */
export function parseArchitecture(name: string): Exclude<Architecture, ''> | undefined {
  return architecturesByName.get(name.toLowerCase().replace(/[\s_-]+/g, ''))
}

const architecturesByName = new Map<string, Exclude<Architecture, ''>>([
  ...(['x8664', 'amd64', 'x64', 'intel64', 'x86'] as const).map((name) => [name, 'x86_64'] as const),
  ...(['arm64', 'aarch64', 'arm'] as const).map((name) => [name, 'arm64'] as const),
  ...(['i386', 'i686', '386'] as const).map((name) => [name, 'i386'] as const),
])
