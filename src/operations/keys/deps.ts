import type { Clock } from '../../domain/clock.ts'
import type { Store } from '../../store/port.ts'

/** What the key operations need; onChange lets this node's key ring follow at once, and never rejects. */
export interface KeyDeps {
  readonly store: Pick<Store, 'keys'>
  readonly now: Clock
  onChange(): Promise<void>
}
