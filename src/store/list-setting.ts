import { entityTagOf, type Precondition } from '../domain/cursor.ts'
import { Problem } from '../domain/problem.ts'
import type { SettingsStore } from './port.ts'

/** A list that an organisation replaces as a whole. `what` names it in a message, and `view` shows it with its entity tag. */
export class ListSetting<Item, View> {
  readonly #name: string
  readonly #what: string
  readonly #view: (items: Item[], etag: string, organisation: string) => View

  constructor(name: string, what: string, view: (items: Item[], etag: string, organisation: string) => View) {
    this.#name = name
    this.#what = what
    this.#view = view
  }

  async read(settings: SettingsStore, organisation: string): Promise<Item[]> {
    return itemsIn(await settings.read(organisation, this.#name))
  }

  async show(settings: SettingsStore, organisation: string): Promise<View> {
    return this.#shown(await settings.read(organisation, this.#name), organisation)
  }

  /** Throws if another list is stored than expected, so that no update is lost; always writes without a precondition. */
  async replace(
    settings: SettingsStore,
    organisation: string,
    items: readonly Item[],
    isExpected: Precondition | undefined,
  ): Promise<View> {
    const text = items.length === 0 ? undefined : JSON.stringify(items)
    if (isExpected === undefined) await settings.write(organisation, this.#name, text)
    else {
      let before: string | undefined
      do {
        before = await settings.read(organisation, this.#name)
        if (!isExpected(tagOf(before))) throw this.#lostUpdate(before, organisation)
      } while (!(await settings.replace(organisation, this.#name, before, text)))
    }
    return this.#shown(text, organisation)
  }

  #shown(text: string | undefined, organisation: string): View {
    return this.#view(itemsIn(text), tagOf(text), organisation)
  }

  #lostUpdate(stored: string | undefined, organisation: string): Problem {
    return new Problem(
      'precondition-failed',
      `The ${this.#what} were changed meanwhile, and nothing was saved. Check the current ones, then try again.`,
      { extra: { current: this.#shown(stored, organisation) } },
    )
  }
}

const tagOf = (text: string | undefined): string => entityTagOf(text ?? '')

const itemsIn = <Item>(text: string | undefined): Item[] => (text === undefined ? [] : JSON.parse(text))
