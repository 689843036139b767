import type { Clock } from '../../domain/time.ts'
import type { SizingModel } from '../../rightsizing/model/model.ts'
import type { ModelStore } from '../../store/port.ts'
import { decodeModel } from './model-codec.ts'

/** A model is used for a day, because one more day of history changes it little. */
const ttlMs = 86_400_000
const triedAgainAfterMs = 3_600_000
/** An organisation without requests for this long needs no new model. */
const forgottenAfterMs = 7 * 86_400_000

/**
 * The model of each organisation, trained by any node. Requests never wait for training; until a model is trained, the
 * built-in one is used.
 */
export class ModelCache {
  readonly #store: { readonly models: Pick<ModelStore, 'trainedAt' | 'read'> }
  readonly #now: Clock
  readonly #pages = new Map<string, Page>()

  constructor(store: { readonly models: Pick<ModelStore, 'trainedAt' | 'read'> }, now: Clock) {
    this.#store = store
    this.#now = now
  }

  /** Returns the current model, or {} until one was trained. */
  async modelOf(organisation: string): Promise<SizingModel> {
    const page = this.#pages.get(organisation) ?? newPage()
    page.askedAt = this.#now()
    this.#pages.set(organisation, page)
    // The first model may appear at any moment: another node trains as well, and so does the load of the demo data.
    if (page.expiresAt === 0 && page.isOpen) page.opened = undefined
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

  async versionOf(organisation: string): Promise<{ readonly model: SizingModel; readonly version?: string }> {
    const model = await this.modelOf(organisation)
    const { expiresAt } = this.#pages.get(organisation)!
    return expiresAt === 0 ? { model } : { model, version: new Date(expiresAt - ttlMs).toISOString() }
  }

  /** Organisations whose model is due, those without any first. */
  due(): string[] {
    const now = this.#now()
    for (const [organisation, { askedAt }] of this.#pages)
      if (now - askedAt > forgottenAfterMs) this.#pages.delete(organisation)
    return [...this.#pages]
      .filter(([, { expiresAt, tryAt }]) => now >= expiresAt && now >= tryAt)
      .sort(([, a], [, b]) => Number(a.expiresAt > 0) - Number(b.expiresAt > 0))
      .map(([organisation]) => organisation)
  }

  /** Takes over a newer model from the store. Returns true if no new model is needed now. */
  async renew(organisation: string): Promise<boolean> {
    const page = this.#pages.get(organisation)
    if (page === undefined) return true
    const trainedAt = (await this.#store.models.trainedAt(organisation)) ?? Number.NEGATIVE_INFINITY
    if (trainedAt + ttlMs > page.expiresAt) {
      const kept = await this.#store.models.read(organisation)
      const model = kept && decodeModel(kept)
      if (model !== undefined) {
        page.model = model
        page.expiresAt = kept!.trainedAt + ttlMs
      }
    }
    return this.#now() < page.expiresAt
  }

  failed(organisation: string): void {
    const page = this.#pages.get(organisation)
    if (page !== undefined) page.tryAt = this.#now() + triedAgainAfterMs
  }
}

interface Page {
  model: SizingModel
  /** 0 until there is a model. */
  expiresAt: number
  tryAt: number
  askedAt: number
  opened: Promise<void> | undefined
  isOpen: boolean
}

const newPage = (): Page => ({
  model: {},
  expiresAt: 0,
  tryAt: 0,
  askedAt: 0,
  opened: undefined,
  isOpen: false,
})
