import { type DestinationStream, type Logger, pino } from 'pino'
import { StoreUnavailable } from '../store/port.ts'

export type Log = Logger

/** While the database is unavailable or its disk is full, every request and job fails for the same reason. */
const outageQuietMs = 30_000

/** Logs to standard error, one JSON object per line; synchronously, so that the last lines before a crash are written. */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
  now: () => number = () => performance.now(),
): Log {
  const limit = new RepeatLimit(outageQuietMs)
  return pino(
    {
      level,
      hooks: {
        logMethod(args, method) {
          const [more, message] = args as [unknown, string | undefined]
          const reason = outageOf((more as { err?: unknown } | null)?.err)
          if (reason === undefined) return method.apply(this, args)
          const suppressed = limit.admit(`${message}\n${reason}`, now())
          if (suppressed === undefined) return
          const repeated = suppressed > 0 ? { repeated: suppressed } : {}
          method.apply(this, [{ ...(more as object), err: reason, ...repeated }, message])
        },
      },
    },
    destination,
  )
}

/** The reason why the database could not be used; undefined for other errors. Recognises errors from other threads too. */
export function outageOf(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return error.message
  const { type, message } = (error ?? {}) as { type?: unknown; message?: unknown }
  return type === 'StoreUnavailable' && typeof message === 'string' ? message : undefined
}

/** Lets a text through once per interval, and counts how often it was suppressed in between. */
class RepeatLimit {
  readonly #quietMs: number
  readonly #lines = new Map<string, { loggedAt: number; suppressed: number }>()

  constructor(quietMs: number) {
    this.#quietMs = quietMs
  }

  /** Returns how often the text was suppressed since it was last let through; undefined if it is to be suppressed now. */
  admit(text: string, nowMs: number): number | undefined {
    const key = this.#keyOf(text, nowMs)
    const line = this.#lines.get(key)
    if (line !== undefined && nowMs - line.loggedAt < this.#quietMs) {
      line.suppressed++
      return undefined
    }
    this.#lines.set(key, { loggedAt: nowMs, suppressed: 0 })
    return line?.suppressed ?? 0
  }

  /** The key under which a text is counted. When there are too many different texts, new ones share one key. */
  #keyOf(text: string, nowMs: number): string {
    if (this.#lines.size < maxTexts || this.#lines.has(text)) return text
    for (const [key, { loggedAt }] of this.#lines)
      if (nowMs - loggedAt >= this.#quietMs) this.#lines.delete(key)
    return this.#lines.size < maxTexts ? text : ''
  }
}

const maxTexts = 100
