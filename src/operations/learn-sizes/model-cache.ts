import type { Clock } from '../../domain/time.ts'
import type { SizingModel } from '../../rightsizing/model/model.ts'
import type { ModelStore } from '../../store/port.ts'
import { decodeModel } from './model-codec.ts'

/** A day more of history changes a model little. */
const goodForMs = 86_400_000
const triedAgainAfterMs = 3_600_000
/** An organisation without requests for this long needs no new model. */
const forgottenAfterMs = 7 * 86_400_000

/** Models of each organisation, trained by any node. Requests never wait for training; until then the built-in model is used. */
export class ModelCache {
  readonly #store: { readonly models: Pick<ModelStore, 'learntAt' | 'read'> }
  readonly #now: Clock
  readonly #pages = new Map<string, Page>()

  constructor(store: { readonly models: Pick<ModelStore, 'learntAt' | 'read'> }, now: Clock) {
    this.#store = store
    this.#now = now
  }

  /** The current model; {} until one was trained. */
  async of(organisation: string): Promise<SizingModel> {
    const page = this.#pages.get(organisation) ?? newPage()
    page.askedAt = this.#now()
    this.#pages.set(organisation, page)
    // The first one may be there at any moment: another node, or who loads usage at once, trains too.
    if (page.goodUntil === 0 && page.isOpen) page.opened = undefined
    page.opened ??= this.renew(organisation).then(
      () => {
        page.isOpen = true
      },
      () => {
        // The database is unavailable: the next request checks again.
        page.opened = undefined
      },
    )
    await page.opened
    return page.model
  }

  /** Another number once there is another model; 0 until there is one. */
  async versionOf(organisation: string): Promise<number> {
    await this.of(organisation)
    return this.#pages.get(organisation)!.goodUntil
  }

  /** Organisations whose model is due, those without any first. */
  due(): string[] {
    const now = this.#now()
    for (const [organisation, { askedAt }] of this.#pages)
      if (now - askedAt > forgottenAfterMs) this.#pages.delete(organisation)
    return [...this.#pages]
      .filter(([, { goodUntil, tryAt }]) => now >= goodUntil && now >= tryAt)
      .sort(([, a], [, b]) => Number(a.goodUntil > 0) - Number(b.goodUntil > 0))
      .map(([organisation]) => organisation)
  }

  /** Takes over what was learnt meanwhile; true if no new one is needed now. */
  async renew(organisation: string): Promise<boolean> {
    const page = this.#pages.get(organisation)
    if (page === undefined) return true
    const learntAt = (await this.#store.models.learntAt(organisation)) ?? Number.NEGATIVE_INFINITY
    if (learntAt + goodForMs > page.goodUntil) {
      const kept = await this.#store.models.read(organisation)
      const model = kept && decodeModel(kept)
      if (model !== undefined) {
        page.model = model
        page.goodUntil = kept!.learntAt + goodForMs
      }
    }
    return this.#now() < page.goodUntil
  }

  failed(organisation: string): void {
    const page = this.#pages.get(organisation)
    if (page !== undefined) page.tryAt = this.#now() + triedAgainAfterMs
  }
}

interface Page {
  model: SizingModel
  /** 0 until there is one. */
  goodUntil: number
  tryAt: number
  askedAt: number
  /** Set once the store was checked. */
  opened: Promise<void> | undefined
  isOpen: boolean
}

const newPage = (): Page => ({
  model: {},
  goodUntil: 0,
  tryAt: 0,
  askedAt: 0,
  opened: undefined,
  isOpen: false,
})
