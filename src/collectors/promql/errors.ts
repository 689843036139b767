/** More than the engine or we allow in one answer, or in one query's time: to be asked for in smaller pieces. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

/** The engine will not answer this, however often it is asked: a wrong key, a wrong address, no such tenant. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused'
}

/** May pass: to be asked again. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}
