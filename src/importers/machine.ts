import type { Architecture } from '../domain/offer.ts'

/** What is known of a machine type, in all its regions. */
export interface MachineType {
  readonly vcpus: number | null
  readonly ramGib: number | null
  readonly architecture: Architecture
  /** null: not known. */
  readonly gpuCount: number | null
  readonly gpuName: string
}

export interface SizedMachineType extends MachineType {
  readonly vcpus: number
  readonly ramGib: number
}

export const isSized = (machine: MachineType): machine is SizedMachineType =>
  machine.vcpus !== null && machine.ramGib !== null

/** Derives a type's size from its name or from its siblings; null where that would be a guess. */
export interface SizeRule {
  readonly name: string
  sizeOf(instanceType: string, known: ReadonlyMap<string, MachineType>): SizedMachineType | null
}

/** Derives a type's architecture likewise; '' where that would be a guess. */
export interface ArchitectureRule {
  readonly name: string
  architectureOf(instanceType: string, known: ReadonlyMap<string, MachineType>): Architecture
}
