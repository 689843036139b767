import type { ErrorTable } from '../runtime/request-channel.ts'
import { Superseded } from '../usage/port.ts'
import { BadCursor, EntryExists, NotStorable, StoreTooNew, StoreUnavailable, TooManyEntries } from './port.ts'
import { DataFolderError } from './sqlite/folder.ts'

/** Every error of a store that keeps its class between threads. */
export const storeErrors = {
  StoreUnavailable,
  StoreTooNew,
  TooManyEntries,
  BadCursor,
  EntryExists,
  NotStorable,
  DataFolderError,
  Superseded,
} satisfies ErrorTable
