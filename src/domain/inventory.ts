import type { DescribedDisk } from './disk.ts'
import type { DescribedMachine } from './machine-description.ts'
import type { ReplacementScope } from './planned-instance.ts'

/** A running machine, as the command-line tool of its provider lists it. */
export interface InventoryMachine extends DescribedMachine {
  /** The provider's id of the machine. Usage is joined by it or by the name. */
  readonly id: string
  readonly name: string
  /** Where a replacement has to be, and why; absent if it can be anywhere. */
  readonly replaceWithin?: { readonly scope: ReplacementScope; readonly why: string }
}

/** A disk, as the command-line tool of its provider lists it. */
export interface InventoryDisk extends DescribedDisk {
  readonly id: string
  readonly name: string
  readonly isAttached: boolean
}

/** A listed machine or disk, or the reason why it cannot be priced. */
export type InventoryItem =
  | InventoryMachine
  | InventoryDisk
  | (Pick<InventoryMachine, 'id' | 'name' | 'provider'> & { readonly unclear: string })

export interface InventoryFormat {
  readonly command: string
  /** Returns the items of the document, or undefined if another command printed it. */
  read(document: unknown): InventoryItem[] | undefined
}

/** Average usage of one machine. `names` lists everything the machine may be called: an id, a name, a path. */
export interface MachineUsage {
  readonly names: readonly string[]
  readonly cpuShare?: number
  readonly cpuCores?: number
  readonly memoryShare?: number
  readonly memoryGib?: number
  readonly freeMemoryGib?: number
}

/** The JSON that one monitoring system returns. */
export interface UsageFormat {
  /** The command or query, in the words of a message. */
  readonly source: string
  /** Returns undefined if the JSON is from another system. */
  read(document: unknown): MachineUsage[] | undefined
}
