/** A machine in the words of its provider, as a plan or an inventory describes it. */
export interface DescribedMachine {
  /** The provider's key. */
  readonly provider: string
  readonly region: string
  /** '' where it is not told. */
  readonly zone: string
  readonly instanceType: string
  readonly operatingSystem: string
  readonly usageType: string
}
