import type { MachineFactsFile } from '../domain/machine-facts.ts'
import { programFile, readAnyFileSync } from '../runtime/program-files.ts'
import type { MachineAndRegionFacts } from './facts/changes.ts'
import { MachineFacts } from './facts/machine-facts.ts'
import { Places } from './facts/places.ts'

/** The facts of Spare Cores are under another licence, so they have their own file. */
export const machineFactsFiles = ['machines.json', 'machines-spare-cores.json'] as const

let shipped: MachineAndRegionFacts | undefined

/** Returns the facts that come with this version. They are read on first use. */
export function shippedFacts(): MachineAndRegionFacts {
  shipped ??= factsFrom(machineFactsFiles.map(readShipped))
  return shipped
}

export function factsFrom(files: readonly MachineFactsFile[]): MachineAndRegionFacts {
  return { machines: new MachineFacts(files), places: new Places(files) }
}

function readShipped(name: string): MachineFactsFile {
  return JSON.parse(readAnyFileSync(programFile(`catalogue/${name}`)).toString())
}
