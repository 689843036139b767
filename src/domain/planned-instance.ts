import type { DescribedDisk } from './disk.ts'
import type { DescribedMachine } from './machine-description.ts'

/** Machines as a plan describes them, in the words of their provider. */
export interface PlannedInstance extends DescribedMachine {
  /** Number of machines; for a group that scales, the desired number. */
  readonly count: number
  /** The smallest and the largest number of machines of a group that scales; absent for a fixed number. */
  readonly range?: CountRange
}

export interface CountRange {
  readonly min: number
  readonly max: number
}

/** Disks as a plan describes them. */
export interface PlannedDisk extends DescribedDisk {
  readonly zone: string
  readonly count: number
  /** Whether the operating system starts from it, which some types cannot do. */
  readonly isBoot: boolean
}

/** What a resource is charged for each month beside machines and disks, such as an address. */
export interface PlannedCharge {
  /** In a few words: NAT gateway */
  readonly name: string
  readonly provider: string
  readonly region: string
  readonly count: number
  readonly pricePerMonthUsd: number
  /** Where the price was read, and when. */
  readonly source: string
}

/** With the same provider, or in the same region of it. */
export type ReplacementScope = 'provider' | 'region'

/**
 * What a resource is, on one side of a plan. `machines` and `disks` have prices in the catalogue; `free` is known to cost nothing;
 * `unpriced` costs or may cost, and the text says why it has no price here.
 */
export type PlanReading =
  | {
      readonly machines: readonly PlannedInstance[]
      readonly disks?: readonly PlannedDisk[]
      readonly charges?: readonly PlannedCharge[]
      /** What the reader has to know about the prices: parts that cost and are not included, or what was assumed. */
      readonly notes?: readonly string[]
      /** Where a replacement has to be, if it cannot be anywhere. */
      readonly replaceWithin?: ReplacementScope
    }
  | { readonly free: true }
  | { readonly unpriced: string }

/** The attributes of one resource or of one of its blocks, on one side of the plan, and the resources related to it. */
export interface PlanValues {
  /** Returns a string attribute; dots lead into blocks (`scheduling.preemptible`); '' if it is not set. */
  text(path: string): string
  flag(path: string): boolean
  /** Returns undefined if it is not set. */
  number(path: string): number | undefined
  length(path: string): number
  texts(path: string): readonly string[]
  blocks(path: string): readonly PlanValues[]
  /** Whether the value will be known only after the plan is applied. */
  isUnknown(path: string): boolean
  /** Whether the value is unknown because the configuration leaves it to the provider. */
  isLeftToProvider(path: string): boolean
  /** A setting of the provider block, or what replaces it on the command line or in the environment; '' if unknown. */
  providerSetting(name: string): string
  /** One of these types in the same plan that the attribute refers to, by reference or by its id or name. */
  resource(path: string, types: readonly string[]): PlanValues | undefined
  /** Returns the values that the resource has before the plan is applied; undefined if it is new, or if these are they. */
  before(): PlanValues | undefined
  /** Returns the resources of a type in the same plan whose attribute refers to this one. */
  referrers(type: string, path: string): readonly PlanValues[]
}

/** One type of Terraform resource, and how it is read from a plan. */
export interface PlanResource {
  /** Terraform's resource type; a `*` at the end matches any suffix. */
  readonly type: string
  readonly treatment: 'machines' | 'charges' | 'free' | 'unpriced'
  /** What it is, in a few words for the documentation. */
  readonly about: string
  /** Every attribute that `read` looks at. */
  readonly attributes: readonly string[]
  read(values: PlanValues): PlanReading
}

/** The resources of one provider of Terraform. */
export interface PlanProvider {
  /** As the Terraform registry names it: hashicorp/aws. */
  readonly source: string
  /** The provider key that --region uses; '' if the resources have no region. */
  readonly provider: string
  /** Environment variables that the Terraform provider reads, by the setting that they replace. */
  readonly environment: Readonly<Record<string, readonly string[]>>
  readonly resources: readonly PlanResource[]
}
