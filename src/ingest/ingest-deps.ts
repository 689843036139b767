import type { Clock } from '../domain/clock.ts'
import type { Store } from '../store/port.ts'

export interface IngestDeps {
  readonly store: Pick<Store, 'usage' | 'leases'>
  /** Who we are to the leases. */
  readonly holder: string
  readonly now: Clock
  /** Kubernetes labels to keep for grouping costs; none if absent. */
  readonly keptLabels?: readonly string[]
  log(level: 'info' | 'warn' | 'error', message: string, more?: Record<string, unknown>): void
}

/** The source of an organisation's partition of pushed samples. */
export const pushSource = 'push'
