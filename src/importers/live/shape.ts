import { addressWithoutQuery, ImportFailure } from './fetching/failure.ts'

/** Reading what came from outside: nothing is believed to be there. */
export type Unknown = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): Unknown => (isObject(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A number, or the text of one ("0.0960000000"); NaN where it is neither. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** A member that must be there, or the document is not the one that is known. */
export function memberOf(document: unknown, name: string, url: string): unknown {
  const value = objectOf(document)[name]
  if (value === undefined)
    throw new ImportFailure('malformed', `${addressWithoutQuery(url)} has no "${name}"`)
  return value
}

/** A price that can be one. */
export const isPrice = (price: number): boolean => Number.isFinite(price) && price > 0
