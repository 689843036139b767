import { proveWritable } from '../../store/storable.ts'
import { outageOf } from '../log.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const checkIntervalMs = 1000

/** The database may still answer reads while its disk is full. Checked after a failed call, then until a write succeeds. */
export function writesPart({ store, log }: Pick<ServiceContext, 'store' | 'log'>) {
  let suspected = false
  let failing = false
  let checking = false

  async function checkWrites(): Promise<void> {
    if (checking || !(suspected || failing)) return
    checking = true
    suspected = false
    try {
      await proveWritable(store.leases)
      if (failing) log('info', 'the database accepts writes again')
      failing = false
    } catch (err) {
      if (outageOf(err) === undefined) throw err
      log('warn', 'the database accepts no writes', { err })
      failing = true
    } finally {
      checking = false
    }
  }

  const suspect = (error: unknown) => {
    if (outageOf(error) !== undefined) suspected = true
  }
  return {
    /** To be called with any error. Only errors of the database cause a check. */
    suspect,
    unwritableReason: () => (failing ? 'takes no writes; its disk may be full' : undefined),
    routes: [
      (server) => {
        server.addHook('onError', (_request, _reply, error, done) => {
          suspect(error)
          done()
        })
      },
    ],
    jobs: [
      { name: 'checking whether the database accepts writes', everyMs: checkIntervalMs, run: checkWrites },
    ],
  } satisfies ServicePart & Record<string, unknown>
}
