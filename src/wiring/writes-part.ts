import { outageOf } from '../http/log.ts'
import { proveWritable } from '../store/storable.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const lookMs = 1000

/**
 * Whether the database takes writes; it may go on answering reads while its disk is full. Looked into after a call that failed,
 * then again and again until it takes writes.
 */
export function writesPart({ store, log }: Pick<ServiceContext, 'store' | 'log'>) {
  let suspected = false
  let failing = false
  let looking = false

  async function look(): Promise<void> {
    if (looking || !(suspected || failing)) return
    looking = true
    suspected = false
    try {
      await proveWritable(store.leases)
      if (failing) log('info', 'the database accepts writes again')
      failing = false
    } catch (err) {
      if (outageOf(err) === undefined) throw err
      log('warn', 'the database accepts no writes', { err })
      failing = true
      // The log line above came from this check.
      suspected = false
    } finally {
      looking = false
    }
  }

  const suspect = (error: unknown) => {
    if (outageOf(error) !== undefined) suspected = true
  }
  return {
    /** After an error anywhere: only those of the database count. */
    suspect,
    trouble: () => (failing ? 'takes no writes; its disk may be full' : undefined),
    routes: [
      (server) => {
        server.addHook('onError', (_request, _reply, error, done) => {
          suspect(error)
          done()
        })
      },
    ],
    jobs: [{ name: 'finding out whether the database takes writes', everyMs: lookMs, run: look }],
  } satisfies ServicePart & Record<string, unknown>
}
