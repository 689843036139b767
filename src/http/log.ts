import { type Logger, pino } from 'pino'

export type Log = Logger

/** To standard error, one JSON object a line; written at once, so that the last words before a crash are there. */
export function createLog(level: string): Log {
  return pino({ level }, pino.destination({ dest: 2, sync: true }))
}
