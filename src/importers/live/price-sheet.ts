import type { DroppedRows, ExchangeRate } from '../../domain/manifest.ts'
import type { LivePrice, StillHolds } from './live-price.ts'
import { PriceColumns } from './price-columns.ts'

/** What an importer found. */
export class PriceSheet {
  readonly prices = new PriceColumns()
  readonly kept: StillHolds[] = []
  readonly zones: { readonly region: string; readonly zone: string }[] = []
  readonly notes: string[] = []
  readonly #dropped = new Map<string, { rows: number; example: string }>()
  /** Entries of the list that were looked at. */
  rows = 0
  /** What its prices were converted with. */
  exchange: ExchangeRate | undefined

  add(price: LivePrice): void {
    this.prices.add(price)
  }

  drop(reason: string, example: string, rows = 1): void {
    const seen = this.#dropped.get(reason)
    if (seen === undefined) this.#dropped.set(reason, { rows, example: example.slice(0, 200) })
    else seen.rows += rows
  }

  /** Last good offers that go on to hold: the list says that nothing changed, or cannot be asked about them. */
  keep(holds: StillHolds, note?: string): void {
    this.kept.push(holds)
    if (note !== undefined) this.notes.push(note)
  }

  /** Adds all that another found. */
  pour(from: PriceSheet): void {
    this.rows += from.rows
    for (const price of from.prices) this.add(price)
    for (const zone of from.zones) this.zones.push(zone)
    for (const { reason, rows, example } of from.dropped) this.drop(reason, example, rows)
  }

  /** By reason. */
  get dropped(): DroppedRows[] {
    return [...this.#dropped]
      .map(([reason, rest]) => ({ reason, ...rest }))
      .sort((a, b) => (a.reason < b.reason ? -1 : 1))
  }
}
