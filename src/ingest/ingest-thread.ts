import { ByteBudget } from '../runtime/byte-budget.ts'
import { WorkerClient } from '../runtime/worker-thread.ts'
import { storeErrors } from '../store/errors.ts'
import type { StoreAddress } from '../store/open.ts'
import { StoreUnavailable } from '../store/port.ts'
import type { CollectionSettings } from './collections.ts'
import { Overloaded } from './group-commit.ts'
import type { IngestDeps, RetentionDays } from './ingest-deps.ts'
import type { IngestStats } from './pipeline.ts'
import type { CollectedRequest, CollectedSummary } from './received-collections.ts'
import { MalformedRequest } from './remote-write/wire.ts'
import type { PushedRequest, ReceiveSummary } from './request-validator.ts'

/** Runs ingest-worker.ts, which calls the pipeline. */
export interface IngestThread {
  /** Resolves when the request is durable; see Ingester.receive(). */
  receive(request: PushedRequest): Promise<ReceiveSummary>
  /** Resolves when the request is durable; see ReceivedCollections. */
  receiveCollected(request: CollectedRequest): Promise<CollectedSummary>
  /** Calls in progress finish first. Samples that are not digested by then wait in the journal. */
  stop(): Promise<void>
}

export interface IngestWork {
  readonly store: StoreAddress
  readonly isSharded: boolean
  readonly holder: string
  readonly maxSeries: number
  readonly keptLabels: readonly string[]
  readonly retention: RetentionDays
  readonly collections: readonly CollectionSettings[]
  readonly collectMinutes: number
  readonly collectParts: number
}

export interface IngestLog {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly more: Record<string, unknown>
}

/** A thread that died is started again after this long. */
const restartAfterMs = 1000
const maxStopMs = 20_000
/** Limit for requests that the thread processes at a time. */
const maxPendingBytes = 96 << 20
/** Memory that each request takes in addition to its body. */
const requestOverheadBytes = 64 << 10

/** Starts the usage thread. Requests wait for it to start, but not for a database that cannot be reached. */
export function startIngestThread(
  work: IngestWork,
  log: IngestDeps['log'],
  onFigures: (figures: IngestStats, isNew: boolean) => void,
  maxBytes = maxPendingBytes,
): IngestThread {
  const budget = new ByteBudget(maxBytes)
  let stopping = false
  let restart: NodeJS.Timeout | undefined
  let worker = start()

  function start(): WorkerClient {
    let isNew = true
    return new WorkerClient({
      script: new URL('./ingest-worker.ts', import.meta.url),
      data: work,
      errors: { ...storeErrors, MalformedRequest, Overloaded },
      events: {
        log: ({ level, message, more }: IngestLog) => log(level, message, more),
        figures: (figures: IngestStats) => {
          onFigures(figures, isNew)
          isNew = false
        },
      },
      lost: () => new StoreUnavailable('The usage thread has stopped'),
      onEnd: (err) => {
        if (err !== undefined) log('error', 'the usage thread failed', { err })
        if (stopping) return
        restart = setTimeout(() => {
          worker = start()
        }, restartAfterMs)
      },
    })
  }

  async function forward(method: string, request: PushedRequest | CollectedRequest): Promise<unknown> {
    const { organisation, body } = request
    const bytes = body.length + requestOverheadBytes
    if (!budget.reserve(organisation, bytes)) throw new Overloaded('the ingest queue is full')
    try {
      // Bodies are transferred, not copied.
      return await worker.call(method, [request], { transfer: [body.buffer as ArrayBuffer] })
    } finally {
      budget.release(organisation, bytes)
    }
  }

  return {
    receive: (request) => forward('receive', request) as Promise<ReceiveSummary>,
    receiveCollected: (request) => forward('receiveCollected', request) as Promise<CollectedSummary>,
    async stop() {
      stopping = true
      clearTimeout(restart)
      // Everything that it has not committed by then is still in the journal.
      const late = setTimeout(() => void worker.terminate(), worker.isReady ? maxStopMs : 0)
      await worker.close()
      clearTimeout(late)
    },
  }
}
