import type { KeyRecord } from '../../domain/key.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'

export interface KeyDeps {
  readonly store: Pick<Store, 'keys'>
  readonly now: Clock
  /** Lets this node honour what was just written, also while the database cannot be read. */
  onChange(...changed: KeyRecord[]): void
}
