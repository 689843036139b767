import type { ErrorTable } from '../runtime/request-channel.ts'
import { Superseded } from '../usage/port.ts'
import { BadCursor, EntryExists, NotStorable, StoreTooNew, StoreUnavailable, TooManyEntries } from './port.ts'
import { DataDirectoryError } from './sqlite/directory.ts'

/** All errors of a store that keep their class when they pass between threads. */
export const storeErrors = {
  StoreUnavailable,
  StoreTooNew,
  TooManyEntries,
  BadCursor,
  EntryExists,
  NotStorable,
  DataDirectoryError,
  Superseded,
} satisfies ErrorTable
