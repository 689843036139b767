import { type DestinationStream, type Logger, pino } from 'pino'
import { StoreUnavailable } from '../store/port.ts'
import { RepeatLimit } from './repeat-limit.ts'

export type Log = Logger

/** While the database is away or its disk is full every request and every job fails alike: one line in so long tells it. */
const outageQuietMs = 30_000

/** To standard error, one JSON object a line; written at once, so that the last words before a crash are there. */
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
          const unsaid = limit.admit(`${message}\n${reason}`, now())
          if (unsaid === undefined) return
          const repeated = unsaid > 0 ? { repeated: unsaid } : {}
          method.apply(this, [{ ...(more as object), err: reason, ...repeated }, message])
        },
      },
    },
    destination,
  )
}

/** Why the database could not be used, where that is what the error says; also of errors that came from another thread. */
export function outageOf(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return error.message
  const { type, message } = (error ?? {}) as { type?: unknown; message?: unknown }
  return type === 'StoreUnavailable' && typeof message === 'string' ? message : undefined
}
