/** Values by provider and a pattern of type names, in the order given. */
export class PatternTable<Value extends string = string> {
  readonly #byProvider = new Map<string, { pattern: RegExp; value: Value }[]>()

  constructor(rows: Iterable<readonly [provider: string, pattern: string, value: Value]>) {
    for (const [provider, pattern, value] of rows)
      this.#byProvider.getOrInsertComputed(provider, () => []).push({ pattern: new RegExp(pattern), value })
  }

  first(provider: string, name: string): Value | undefined {
    return this.#byProvider.get(provider)?.find(({ pattern }) => pattern.test(name))?.value
  }

  /** Without repetition. */
  all(provider: string, name: string): readonly Value[] {
    const rules = this.#byProvider.get(provider) ?? []
    return [...new Set(rules.filter(({ pattern }) => pattern.test(name)).map(({ value }) => value))]
  }
}
