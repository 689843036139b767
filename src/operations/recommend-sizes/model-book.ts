import type { Clock } from '../../domain/clock.ts'
import type { SizingModel } from '../../rightsizing/model.ts'

/** A day more of history changes a model little. */
const goodForMs = 86_400_000
const triedAgainAfterMs = 3_600_000
/** An organisation that nobody asked about for this long needs no new model. */
const forgottenAfterMs = 7 * 86_400_000

/** What has been learnt of each organisation. Nobody waits for it: until it is there, built-in experience is used. */
export class ModelBook {
  readonly #now: Clock
  readonly #pages = new Map<string, Page>()

  constructor(now: Clock) {
    this.#now = now
  }

  /** The model in force; undefined until one was learnt. */
  of(organisation: string): SizingModel | undefined {
    const page = this.#pages.get(organisation) ?? { model: undefined, dueAt: 0, askedAt: 0 }
    page.askedAt = this.#now()
    this.#pages.set(organisation, page)
    return page.model
  }

  /** Organisations whose model is due, those without any first. */
  due(): string[] {
    const now = this.#now()
    for (const [organisation, { askedAt }] of this.#pages)
      if (now - askedAt > forgottenAfterMs) this.#pages.delete(organisation)
    return [...this.#pages]
      .filter(([, { dueAt }]) => now >= dueAt)
      .sort(([, a], [, b]) => Number(a.model !== undefined) - Number(b.model !== undefined))
      .map(([organisation]) => organisation)
  }

  learnt(organisation: string, model: SizingModel): void {
    const page = this.#pages.get(organisation)
    if (page === undefined) return
    page.model = model
    page.dueAt = this.#now() + goodForMs
  }

  failed(organisation: string): void {
    const page = this.#pages.get(organisation)
    if (page !== undefined) page.dueAt = this.#now() + triedAgainAfterMs
  }
}

interface Page {
  model: SizingModel | undefined
  dueAt: number
  askedAt: number
}
