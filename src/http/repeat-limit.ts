/** Lets a text through once in so long, and counts how often it was held back meanwhile. */
export class RepeatLimit {
  readonly #quietMs: number
  readonly #lines = new Map<string, { saidAt: number; unsaid: number }>()

  constructor(quietMs: number) {
    this.#quietMs = quietMs
  }

  /** How often the text was held back since it was last let through; undefined where it is held back now. */
  admit(text: string, nowMs: number): number | undefined {
    const key = this.#keyOf(text, nowMs)
    const line = this.#lines.get(key)
    if (line !== undefined && nowMs - line.saidAt < this.#quietMs) {
      line.unsaid++
      return undefined
    }
    this.#lines.set(key, { saidAt: nowMs, unsaid: 0 })
    return line?.unsaid ?? 0
  }

  /** Texts that are never the same share one line. */
  #keyOf(text: string, nowMs: number): string {
    if (this.#lines.size < mostTexts || this.#lines.has(text)) return text
    for (const [key, { saidAt }] of this.#lines) if (nowMs - saidAt >= this.#quietMs) this.#lines.delete(key)
    return this.#lines.size < mostTexts ? text : ''
  }
}

const mostTexts = 100
