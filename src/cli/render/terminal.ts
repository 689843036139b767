import { AsyncLocalStorage } from 'node:async_hooks'

/** What the output of a command is shown on. */
interface Terminal {
  /** Tables are not wider than this; Infinity if the output is not a terminal. */
  readonly columns: number
  readonly hasColor: boolean
}

/** A context of calls, because tables are rendered deep inside texts. Without one, output is plain. */
export const terminal = new AsyncLocalStorage<Terminal>()
