import type { Socket } from 'node:net'
import { addressGroup } from './addresses.ts'

export interface ConnectionBounds {
  /** In all; 0: no bound. */
  readonly connections: number
  /** Connections per address; 0 disables the limit. */
  readonly addressConnections: number
}

/** How many connections are open, in all and from each address. */
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

  /** Counts a connection until it is closed; false if the limit is exceeded. Trusted proxies are exempt, because they serve many clients. */
  admit(socket: Socket): boolean {
    const { connections, addressConnections } = this.#bounds
    const address = socket.remoteAddress
    // The client left before it was served.
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
