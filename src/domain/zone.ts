/** A zone that is known to exist, whether or not a price of its own does. */
export interface KnownZone {
  readonly provider: string
  readonly region: string
  readonly zone: string
}
