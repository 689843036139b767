import type { DiskKind } from './comparability.ts'

export const generations = ['current', 'previous', 'retiring', 'retired'] as const
export type Generation = (typeof generations)[number]

export const vcpuKinds = [
  'dedicated-core',
  'dedicated-thread',
  'dedicated-thread-capped',
  'shared-pool',
  'shared',
  'burstable',
  'bare-metal',
] as const
export type VcpuKind = (typeof vcpuKinds)[number]

export const acceleratorKinds = ['gpu', 'npu', 'fpga', 'video'] as const
export type AcceleratorKind = (typeof acceleratorKinds)[number]

/** Where a speed comes from: measured, estimated from another benchmark, or taken from a similar type. */
export const speedBases = [
  'coremark',
  'geekbench',
  'passmark',
  'same-family',
  'same-generation',
  'same-processor',
] as const
export type SpeedBasis = (typeof speedBases)[number]

/**
 * Facts about machines and regions as a file contains them: each row is an array on one line. A blank or null means
 * unknown. Files under different licences have the same shape, and the rows of all files are used together.
 */
export interface MachineFactsFile {
  readonly format: 1
  readonly licence: string
  readonly credits: readonly string[]
  /** provider, type, generation, day of the end or '' ; a type without a row is current */
  readonly generations: readonly [string, string, Generation, string][]
  /** provider, type, GiB of local disk or null, its kind, whether it is the root disk, baseline and maximum Gbit/s */
  readonly disks: readonly [string, string, number | null, DiskKind, boolean, number | null, number | null][]
  /** provider, pattern, kind; a type has every kind whose pattern it matches */
  readonly kinds: readonly [string, string, string][]
  /** provider, rank, pattern, kind; the matching pattern with the lowest rank decides */
  readonly vcpus: readonly [string, number, string, VcpuKind][]
  /** provider, type, count, model, kind */
  readonly accelerators: readonly [string, string, number, string, AcceleratorKind][]
  /** provider, region, country, continent, city, latitude, longitude, partition */
  readonly regions: readonly [string, string, string, string, string, number, number, string][]
  /** provider, type, CoreMark iterations per second and vCPU, basis, type it is borrowed from or '' */
  readonly speeds: readonly [string, string, number, SpeedBasis, string][]
  /** provider, type, processor as the guest sees it */
  readonly processors: readonly [string, string, string][]
  /** provider, type, watts idle, watts full, method */
  readonly power: readonly [string, string, number, number, string][]
  /** provider, region, grams of CO2e per kWh, year or null, what the figure was measured for */
  readonly carbon: readonly [string, string, number, number | null, string][]
  /** provider, day, regions in the order of the bands */
  readonly spotRegions: readonly [string, string, readonly string[]][]
  /** provider, system, type, a digit from 0 to 4 for each region; - means unknown, x that spot saves nothing */
  readonly spotBands: readonly [string, string, string, string][]
}

export const machineFactSections = [
  'generations',
  'disks',
  'kinds',
  'vcpus',
  'accelerators',
  'regions',
  'speeds',
  'processors',
  'power',
  'carbon',
  'spotRegions',
  'spotBands',
] as const satisfies (keyof MachineFactsFile)[]
