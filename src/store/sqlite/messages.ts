import { Superseded } from '../../usage/port.ts'
import { BadCursor, NotStorable, StoreTooNew, StoreUnavailable, TooManyEntries } from '../port.ts'
import { sqliteCode, sqliteCodes } from './database.ts'
import { DataFolderError } from './folder.ts'

/** What goes to the database's thread: a call, before it the slices of its last argument if that is long. */
export type ToThread =
  | { readonly kind: 'slice'; readonly id: number; readonly items: readonly unknown[] }
  | {
      readonly kind: 'call'
      readonly id: number
      readonly section: string
      readonly method: string
      readonly args: readonly unknown[]
      /** The slices sent before, joined, are one more argument. */
      readonly sliced: boolean
    }
  | { readonly kind: 'close' }

export type FromThread =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly error: SerializedError }
  | { readonly kind: 'value'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: SerializedError }
  | { readonly kind: 'hint' }

/** Errors lose their class between threads, so it travels by name. */
export interface SerializedError {
  readonly name: string
  readonly message: string
}

const classes = {
  StoreUnavailable,
  StoreTooNew,
  TooManyEntries,
  BadCursor,
  NotStorable,
  DataFolderError,
  Superseded,
}

const passing: readonly number[] = [
  sqliteCodes.busy,
  sqliteCodes.locked,
  sqliteCodes.readOnly,
  sqliteCodes.ioError,
  sqliteCodes.full,
  sqliteCodes.cannotOpen,
]

export function serializeError(error: unknown): SerializedError {
  if (passing.includes(sqliteCode(error))) {
    return { name: 'StoreUnavailable', message: `The embedded database: ${(error as Error).message}` }
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}

export function deserializeError({ name, message }: SerializedError): Error {
  return name in classes ? new classes[name as keyof typeof classes](message) : new Error(message)
}
