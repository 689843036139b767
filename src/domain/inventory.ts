import type { DescribedMachine } from './machine-description.ts'

/** A machine that runs, as a provider's command line lists it. */
export interface InventoryMachine extends DescribedMachine {
  /** The provider's own id, by which usage is joined. */
  readonly id: string
  readonly name: string
}

/** A machine, or why what is listed cannot be priced. */
export type InventoryItem =
  | InventoryMachine
  | (Pick<InventoryMachine, 'id' | 'name' | 'provider'> & { readonly unclear: string })

/** What one command of a provider prints as JSON. */
export interface InventoryFormat {
  readonly command: string
  /** The items of the document; undefined where another command printed it. */
  read(document: unknown): InventoryItem[] | undefined
}

/** Averages of one machine. `names` are what it may be called: an id, a name, a path. */
export interface MachineUsage {
  readonly names: readonly string[]
  readonly cpuShare?: number
  readonly cpuCores?: number
  readonly memoryShare?: number
  readonly memoryGib?: number
  readonly freeMemoryGib?: number
}

/** What one monitoring system answers as JSON; undefined where another one did. */
export type UsageFormat = (document: unknown) => MachineUsage[] | undefined
