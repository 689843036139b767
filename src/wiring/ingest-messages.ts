import { MalformedRequest } from '../collectors/remote-write/malformed.ts'
import type { CollectionSettings } from '../ingest/collections.ts'
import { Overloaded } from '../ingest/group-commit.ts'
import type { IngestStats, PushedRequest } from '../ingest/ingester.ts'
import type { ReceiveSummary } from '../ingest/request-validator.ts'
import { StoreUnavailable } from '../store/port.ts'

/** What the usage thread is started with. */
export interface IngestWork {
  readonly databaseUrl: string
  readonly dataFolder: string
  readonly holder: string
  readonly maxSeries: number
  readonly retentionDays: number
  readonly retentionOf: Readonly<Record<string, number>>
  readonly collections: readonly CollectionSettings[]
  readonly collectMinutes: number
}

export type ToIngest =
  | { readonly kind: 'receive'; readonly id: number; readonly request: PushedRequest }
  | { readonly kind: 'stop' }

export type FromIngest =
  /** The database cannot be reached; it is tried again until it can. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'received'; readonly id: number; readonly received: ReceiveSummary }
  | { readonly kind: 'refused'; readonly id: number; readonly name: string; readonly message: string }
  | { readonly kind: 'figures'; readonly figures: IngestStats }
  | {
      readonly kind: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly more: Record<string, unknown>
    }

const classes = { MalformedRequest, Overloaded, StoreUnavailable }

/** Errors lose their class between threads, so it travels by name. */
export function errorFromThread(name: string, message: string): Error {
  return name in classes ? new classes[name as keyof typeof classes](message) : new Error(message)
}
