/** A machine as a plan describes it, in the words of its provider. */
export interface PlannedInstance {
  /** The provider's key. */
  readonly provider: string
  readonly region: string
  /** '' where the plan does not say. */
  readonly zone: string
  readonly instanceType: string
  readonly operatingSystem: string
  readonly usageType: string
  /** How many machines the resource stands for. */
  readonly count: number
}

/** What a plan's resource says of the machine it is, or why that cannot be told. */
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
  /** A setting of the provider's own configuration block; '' where it is not told. */
  providerSetting(name: string): string
}

/** One kind of resource that costs money by the hour, and how its provider's users write it. */
export interface PlanResource {
  /** Terraform's resource type. */
  readonly type: string
  read(values: PlanValues): PlanReading
}
