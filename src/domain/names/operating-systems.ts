import type { OperatingSystem } from '../offer.ts'
import { memoizeNames } from './memoize-names.ts'

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
