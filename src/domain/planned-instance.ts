import type { DescribedMachine } from './machine-description.ts'

/** Machines as a plan describes them, in the words of their provider. */
export interface PlannedInstance extends DescribedMachine {
  /** Number of machines: of a group that scales, the desired number. */
  readonly count: number
  /** Between which numbers a group scales; absent for a fixed number. */
  readonly range?: CountRange
}

export interface CountRange {
  readonly min: number
  readonly max: number
}

/**
 * What a resource is, on one side of a plan. `machines` have prices in the catalogue; `free` is known to cost nothing;
 * `unpriced` costs or may cost, and the text says why it has no price here.
 */
export type PlanReading =
  | {
      readonly machines: readonly PlannedInstance[]
      /** What the reader has to know about the prices: parts that cost and are not included, or what was assumed. */
      readonly notes?: readonly string[]
    }
  | { readonly free: true }
  | { readonly unpriced: string }

/** The attributes of one resource or of one of its blocks, before or after, and what surrounds it. */
export interface PlanValues {
  /** A string attribute; dots lead into blocks (`scheduling.preemptible`); '' where it is not set. */
  text(path: string): string
  flag(path: string): boolean
  /** undefined where it is not set. */
  number(path: string): number | undefined
  /** How many blocks or list members there are. */
  length(path: string): number
  /** The strings of a list. */
  texts(path: string): readonly string[]
  /** Each block of that name. */
  blocks(path: string): readonly PlanValues[]
  /** Whether it will be known only once the plan is applied. */
  isUnknown(path: string): boolean
  /** Whether that is so because the configuration leaves it to the provider. */
  isLeftToProvider(path: string): boolean
  /** A setting of the provider's own block, or what stands in for it on the command line or in the environment; '' if unknown. */
  providerSetting(name: string): string
  /** The resource of one of these types in the same plan that the attribute refers to, by reference or by its id or name. */
  resource(path: string, types: readonly string[]): PlanValues | undefined
  /** Resources of a type in the same plan whose attribute refers to this one. */
  referrers(type: string, path: string): readonly PlanValues[]
}

/** One kind of resource, and how its provider's users write it. */
export interface PlanResource {
  /** Terraform's resource type; a `*` at the end stands for any rest. */
  readonly type: string
  readonly treatment: 'machines' | 'free' | 'unpriced'
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
  /** The provider key that --region uses; '' where resources have no region. */
  readonly provider: string
  /** Environment variables that the Terraform provider reads, by the setting that they stand in for. */
  readonly environment: Readonly<Record<string, readonly string[]>>
  readonly resources: readonly PlanResource[]
}
