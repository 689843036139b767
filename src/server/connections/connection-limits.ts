import { BlockList, isIPv4, isIPv6, type Socket } from 'node:net'
import { SettingsError } from '../../config.ts'

export interface ConnectionBounds {
  /** Connections in total; 0 disables the limit. */
  readonly connections: number
  /** Connections per address; 0 disables the limit. */
  readonly addressConnections: number
}

export class ConnectionLimits {
  readonly #bounds: ConnectionBounds
  readonly #isProxy: (address: string) => boolean
  readonly #byAddress = new Map<string, number>()
  #open = 0

  constructor(bounds: ConnectionBounds, isProxy: (address: string) => boolean) {
    this.#bounds = bounds
    this.#isProxy = isProxy
  }

  get open(): number {
    return this.#open
  }

  /** Returns false if a limit is exceeded. Trusted proxies serve many clients, so the limit per address exempts them. */
  admit(socket: Socket): boolean {
    const { connections, addressConnections } = this.#bounds
    const address = socket.remoteAddress
    // The client closed the connection before it was served.
    if (address === undefined) return false
    const group = addressGroup(address)
    const ofAddress = this.#byAddress.get(group) ?? 0
    const isOver =
      (connections > 0 && this.#open >= connections) ||
      (addressConnections > 0 && ofAddress >= addressConnections && !this.#isProxy(address))
    if (isOver) return false
    this.#open++
    this.#byAddress.set(group, ofAddress + 1)
    socket.once('close', () => this.#remove(group))
    return true
  }

  #remove(group: string): void {
    this.#open--
    const left = this.#byAddress.get(group)! - 1
    if (left === 0) this.#byAddress.delete(group)
    else this.#byAddress.set(group, left)
  }
}

/** An IPv4 address, or an IPv6 network with a prefix of 64 bits, which is what one customer gets. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address
  // Some proxies add the port of the client, which differs between its connections.
  const [, ipv4] = /^([\d.]+):\d+$/.exec(address) ?? []
  if (ipv4 !== undefined) return ipv4
  if (address.startsWith(mapped)) return address.slice(mapped.length)
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  if (tail !== undefined)
    groups.push(...Array(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after)
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** How an IPv4 client looks to a server that listens on `::`. */
const mapped = '::ffff:'

/** Throws if an entry is neither an address nor a network. */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/')
    const family = isIPv4(network) ? 'ipv4' : isIPv6(network) ? 'ipv6' : undefined
    const most = family === 'ipv4' ? 32 : 128
    if (family === undefined || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
      throw new SettingsError(
        `CHEAPSIDE_TRUSTED_PROXIES: ${JSON.stringify(entry)} is neither an address nor a network`,
      )
    if (bits === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(bits), family)
  }
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
