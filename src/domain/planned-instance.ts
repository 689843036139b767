/** A machine as a plan describes it, in the words of its provider. */
export interface PlannedInstance {
  /** The provider's key. */
  readonly provider: string
  readonly region: string
  /** '' if the plan does not contain it. */
  readonly zone: string
  readonly instanceType: string
  readonly operatingSystem: string
  readonly usageType: string
  /** Number of machines that the resource creates. */
  readonly count: number
}

/** The machine that a resource of a plan describes, or why it cannot be determined. */
export type PlanReading = PlannedInstance | { readonly unclear: string }

/** The attributes of one resource, before or after, and what surrounds it. */
export interface PlanValues {
  /** A string attribute; dots lead into blocks (`scheduling.preemptible`); '' where it is not set. */
  text(path: string): string
  flag(path: string): boolean
  /** undefined where it is not set. */
  number(path: string): number | undefined
  /** How many blocks or list members there are. */
  length(path: string): number
  /** Whether it will be known only once the plan is applied. */
  isUnknown(path: string): boolean
  /** A setting of the provider's own configuration block; '' if unknown. */
  providerSetting(name: string): string
}

/** One kind of resource that costs money by the hour, and how its provider's users write it. */
export interface PlanResource {
  /** Terraform's resource type. */
  readonly type: string
  read(values: PlanValues): PlanReading
}
