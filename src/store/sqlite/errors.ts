import { StoreUnavailable } from '../port.ts'
import { DataDirectoryError } from './directory.ts'

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
export const sqliteCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

/** Codes after which a retry may succeed. */
const retryable: readonly number[] = [
  sqliteCodes.busy,
  sqliteCodes.locked,
  sqliteCodes.readOnly,
  sqliteCodes.ioError,
  sqliteCodes.full,
  sqliteCodes.cannotOpen,
]

/** Codes that require action by the operator if they occur when the database is opened. */
const misconfigured: readonly number[] = [
  sqliteCodes.cannotOpen,
  sqliteCodes.readOnly,
  sqliteCodes.notADatabase,
  sqliteCodes.corrupt,
]

/** Runs queries. Throws StoreUnavailable if a retry may succeed, and DataDirectoryError if the file is damaged. */
export function translateErrors<Result>(work: () => Result, file = 'in memory'): Result {
  const translate = (error: unknown): never => {
    const [code, { message }] = [sqliteCode(error), error as Error]
    if (retryable.includes(code))
      throw new StoreUnavailable(`The embedded database: ${message}`, { cause: error })
    if (code === sqliteCodes.corrupt || code === sqliteCodes.notADatabase)
      throw new DataDirectoryError(`The database ${file} is damaged (${message}); restore a backup of it`)
    throw error
  }
  try {
    const result = work()
    return result instanceof Promise ? (result.catch(translate) as Result) : result
  } catch (error) {
    return translate(error)
  }
}

/** Opens a database file and throws DataDirectoryError if waiting does not help. */
export function translateOpenErrors<Result>(file: string, open: () => Result): Result {
  try {
    return open()
  } catch (error) {
    if (!misconfigured.includes(sqliteCode(error))) throw error
    throw new DataDirectoryError(`The database ${file} cannot be used: ${(error as Error).message}`)
  }
}

/** Returns SQLite's primary result code, or 0 if the error is not from SQLite. */
export function sqliteCode(error: unknown): number {
  const errcode = (error as { errcode?: unknown } | null)?.errcode
  return typeof errcode === 'number' ? errcode & 0xff : 0
}
