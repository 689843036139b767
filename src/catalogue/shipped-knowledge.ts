import type { MachineFactsFile } from '../domain/machine-facts.ts'
import type { MachineKnowledge } from '../machines/changes.ts'
import { MachineFacts } from '../machines/machine-facts.ts'
import { Places } from '../machines/places.ts'
import { programFile, readAnyFileSync } from '../program-files.ts'

/** Those of Spare Cores are under another licence, and in a file of their own. */
export const machineFactsFiles = ['machines.json', 'machines-spare-cores.json'] as const

let shipped: MachineKnowledge | undefined

/** The facts that come with this version; read when first asked for. */
export function shippedKnowledge(): MachineKnowledge {
  shipped ??= knowledgeOf(machineFactsFiles.map(readShipped))
  return shipped
}

export function knowledgeOf(files: readonly MachineFactsFile[]): MachineKnowledge {
  return { machines: new MachineFacts(files), places: new Places(files) }
}

function readShipped(name: string): MachineFactsFile {
  return JSON.parse(readAnyFileSync(programFile(`catalogue/${name}`)).toString())
}
