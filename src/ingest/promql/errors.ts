/**
 * The response is larger, or the query takes longer, than the engine or the client allows. It should be queried in
 * smaller pieces.
 */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

/**
 * The engine will never answer this query, however often it is repeated: a wrong key, a wrong address, no such tenant.
 */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused'
}

/** A failure that may be temporary; the query should be repeated. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}
