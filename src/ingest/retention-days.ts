/** Days for which usage is kept. */
export interface RetentionDays {
  readonly retentionDays: number
  /** Organisations with another number of days. */
  readonly retentionOf: Readonly<Record<string, number>>
}

export const retentionDaysOf = (
  { retentionDays, retentionOf }: RetentionDays,
  organisation: string,
): number => (Object.hasOwn(retentionOf, organisation) ? retentionOf[organisation]! : retentionDays)
