import { type DestinationStream, type Logger, pino } from 'pino'
import { StoreUnavailable } from '../store/port.ts'
import { RepeatLimit } from './repeat-limit.ts'

export type Log = Logger

/** While the database is unavailable or its disk is full, every request and job fails alike: repeated messages are logged once per interval. */
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

/** The reason why the database could not be used, if the error is of that kind; also for errors from another thread. */
export function outageOf(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return error.message
  const { type, message } = (error ?? {}) as { type?: unknown; message?: unknown }
  return type === 'StoreUnavailable' && typeof message === 'string' ? message : undefined
}
