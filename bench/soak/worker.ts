import type { Random } from '../../test/fuzz/random.ts'
import type { Answer, RequestOptions } from '../../test/service.ts'
import type { Ledger } from './ledger.ts'

export interface Organisation {
  readonly name: string
  readonly key: string
}

/** What each kind of work receives. `send` returns status 0 if the connection broke. */
export interface Worker {
  readonly ledger: Ledger
  readonly organisation: Organisation
  readonly adminKey: string
  readonly random: Random
  readonly running: () => boolean
  readonly send: (path: string, options: RequestOptions) => Promise<Pick<Answer, 'status' | 'text' | 'json'>>
}

export type Work = (worker: Worker) => Promise<void>
