import '../node-24.ts'
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { steadyClock } from '../domain/clock.ts'
import { ScheduledCollections } from '../ingest/collections.ts'
import type { IngestDeps } from '../ingest/digest-scheduler.ts'
import { Ingester } from '../ingest/ingester.ts'
import { enforceRetention } from '../ingest/retention.ts'
import { RoundRobinQueue } from '../runtime/round-robin-queue.ts'
import { openStore } from '../store/open.ts'
import { retryUntilOpen } from '../store/retry-until-open.ts'
import type { FromIngest, IngestWork, ToIngest } from './ingest-messages.ts'

/**
 * All work on usage, off the thread that answers requests: unpacking and digesting samples takes milliseconds at a time.
 * It has a connection to the database of its own.
 */
const port = parentPort!
/** The rest is for what comes and goes; a thread without memory dies, and everybody's work with it. */
const fullShare = 0.75
const work = workerData as IngestWork
const send = (message: FromIngest) => port.postMessage(message)
const log: IngestDeps['log'] = (level, message, more = {}) =>
  send({ kind: 'log', level, message, more: tellable(more) })

const store = await retryUntilOpen(
  () =>
    openStore({
      dataFolder: work.dataFolder,
      ...(work.databaseUrl === '' ? {} : { databaseUrl: work.databaseUrl }),
    }),
  (err, attempt) => {
    send({ kind: 'waiting' })
    log('warn', 'usage: waiting for the database', { err, attempt })
  },
  new AbortController().signal,
)
const deps: IngestDeps = {
  store,
  holder: work.holder,
  now: steadyClock(Date.now, () => performance.now()),
  log,
}
let isMemoryShort = false
const ingester = new Ingester(deps, work.maxSeries, () => isMemoryShort)
ingester.scheduler.start()
const collections = new ScheduledCollections(deps, work.collections)
const timers = [
  setInterval(everySecond, 1000),
  setInterval(enforcingRetention, 3_600_000),
  setTimeout(enforcingRetention, 60_000),
]
if (work.collections.length > 0) {
  timers.push(setInterval(() => void collections.run(), work.collectMinutes * 60_000))
  void collections.run()
}
const turns = new RoundRobinQueue()
port.on('message', (message: ToIngest) => {
  if (message.kind === 'stop') void stop()
  else turns.add(message.request.organisation, () => void receive(message))
})
send({ kind: 'open' })

function everySecond(): void {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  isMemoryShort = used > limit * fullShare
  send({ kind: 'figures', figures: ingester.figures() })
}

async function receive({ id, request }: ToIngest & { kind: 'receive' }): Promise<void> {
  try {
    send({ kind: 'received', id, received: await ingester.receive(request) })
  } catch (error) {
    const { name, message } = error as Error
    send({ kind: 'refused', id, name, message })
  }
}

async function enforcingRetention(): Promise<void> {
  try {
    const { pruned, compacted } = await enforceRetention(
      deps,
      (organisation) => work.retentionOf[organisation] ?? work.retentionDays,
    )
    if (pruned + compacted > 0) log('info', 'usage: old rows were deleted', { pruned, compacted })
  } catch (err) {
    log('warn', 'usage: maintenance failed; it will be retried', { err })
  }
}

async function stop(): Promise<void> {
  for (const timer of timers) clearInterval(timer)
  await collections.stop()
  await ingester.stop()
  await store.close()
  port.close()
}

function tellable(more: Record<string, unknown>): Record<string, unknown> {
  const { err, ...rest } = more
  return err instanceof Error
    ? { ...rest, err: { type: err.name, message: err.message, stack: err.stack } }
    : more
}
