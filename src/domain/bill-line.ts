import type { OperatingSystem } from './offer.ts'

/** What a line of a bill is about. */
export const billLineClasses = [
  'on_demand',
  'spot',
  'disk',
  'committed',
  'unused_commitment',
  'purchase',
  'discount',
  'credit',
  'tax',
  'marketplace',
  'other',
] as const
export type BillLineClass = (typeof billLineClasses)[number]

/** One line of a bill, in whatever format it came. Texts are '' if unknown. */
export interface BillLine {
  readonly class: BillLineClass
  /** As the bill names it. */
  readonly provider: string
  readonly region: string
  /** '' if the line is not about hours of an instance; `n2 core` or `n2 gib` where a family is billed by cores and GiB. */
  readonly instanceType: string
  /** Undefined if a system is licensed that price lists here do not have. */
  readonly operatingSystem: OperatingSystem | undefined
  readonly hours: number
  /** With negotiated discounts, and with upfront payments spread over what they cover. */
  readonly cost: number
  readonly currency: string
  /** Start of the charged period, YYYY-MM-DDTHH. */
  readonly hour: string
  readonly commitment: BilledCommitment | undefined
  /** Absent if the line is not about a disk. */
  readonly disk?: BilledDisk | undefined
}

export const diskUnits = ['GiB-month', 'IOPS-month', 'MB/s-month', 'disk-month'] as const

export interface BilledDisk {
  /** A type (gp3), or a tier that is sold as a whole (P10 LRS). */
  readonly name: string
  readonly unit: (typeof diskUnits)[number]
  readonly quantity: number
}

export interface BilledCommitment {
  readonly id: string
  readonly isPlan: boolean
  /** Whether the plan is for one family. */
  readonly isOfFamily: boolean
  /** YYYY-MM-DD; '' if the bill does not say. */
  readonly until: string
}

/** Reads the lines of one format. */
export interface BillFormat {
  readonly name: string
  readonly columns: readonly string[]
  /** Whether a file with these columns has the format. */
  isFormatOf(columns: readonly string[]): boolean
  /** The values are in the order of `columns`; undefined where the file has no such column. */
  lineOf(values: readonly unknown[]): BillLine
}

/** Reads `n2 core`; undefined for the name of a type. */
export function billedUnit(instanceType: string): { family: string; unit: 'core' | 'gib' } | undefined {
  const [, family, unit] = /^(\w+) (core|gib)$/.exec(instanceType) ?? []
  return family === undefined ? undefined : { family, unit: unit as 'core' | 'gib' }
}

/** Text of a value of a bill; some exports write NULL for nothing. */
export function billText(value: unknown): string {
  if (value === undefined || value === null || value === 'NULL') return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function billNumber(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(billText(value))
  return Number.isFinite(number) ? number : 0
}

/** 2024-09-18 23:00:00 and 2024-09-18T23:00:00Z -> 2024-09-18T23 */
export const billHour = (value: unknown): string => billText(value).slice(0, 13).replace(' ', 'T')
