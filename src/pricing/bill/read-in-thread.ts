import type { ExchangeRate } from '../../domain/manifest.ts'
import { Problem } from '../../domain/problem.ts'
import { runOnce } from '../../runtime/worker-thread.ts'
import { type BillSums, currencyFault } from './bill-totals.ts'

/** A bill that needs more memory, such as Parquet with large row groups, is read by the command line. */
const maxHeapMib = 768
const maxMs = 300_000

export interface BillWork {
  readonly file: string
  readonly exchange: ExchangeRate | null
}

/** Reads a bill in a thread of its own, so that requests are answered in the meantime. */
export async function readBillInThread(work: BillWork, signal: AbortSignal): Promise<BillSums> {
  const read = await runOnce<BillSums | { readonly fault: string }>({
    script: new URL('./bill-worker.ts', import.meta.url),
    work,
    seesEnvironment: false,
    maxHeapMib,
    signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]),
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new Problem('invalid', `The bill is too large to be read here: use cheapside prices learn.`, {
      cause: error,
    })
  })
  if ('fault' in read) throw new Problem('invalid', `The bill ${read.fault}.`)
  const fault = currencyFault(read)
  if (fault !== undefined) throw new Problem('invalid', `The bill ${fault}.`)
  return read
}
