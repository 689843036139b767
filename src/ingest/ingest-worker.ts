import '../runtime/node-24.ts'
import { getHeapStatistics } from 'node:v8'
import { workerData } from 'node:worker_threads'
import { hourMs } from '../domain/time.ts'
import { RoundRobinQueue } from '../runtime/fair-queue.ts'
import { serveWorker } from '../runtime/worker-thread.ts'
import { openStore, retryUntilOpen } from '../store/open.ts'
import { StoreUnavailable } from '../store/port.ts'
import { ScheduledCollections } from './collections.ts'
import type { IngestDeps } from './ingest-deps.ts'
import type { IngestLog, IngestWork } from './ingest-thread.ts'
import { Ingester } from './pipeline.ts'
import { type CollectedRequest, type CollectedSummary, ReceivedCollections } from './received-collections.ts'
import { RecentRequests } from './recent-requests.ts'
import type { PushedRequest, ReceiveSummary } from './request-validator.ts'
import { enforceRetention } from './retention.ts'

/** Outside the thread that answers requests, because digesting takes milliseconds at a time. It has its own connection. */
const work = workerData as IngestWork
/** The rest is for short-lived objects. A thread that runs out of memory dies, and the work of all organisations with it. */
const fullShare = 0.75
/** Resolves when the database is open, or could not be opened at once. */
const tried = Promise.withResolvers<void>()
let ingester: Ingester | undefined
let received: ReceivedCollections | undefined
const turns = new RoundRobinQueue()
const server = serveWorker({ methods: { receive, receiveCollected }, onClose: stop })
const log: IngestDeps['log'] = (level, message, more = {}) =>
  server.emit('log', { level, message, more: cloneable(more) } satisfies IngestLog)

const store = await retryUntilOpen(
  () => openStore(work.store),
  (err, attempt) => {
    tried.resolve()
    log('warn', 'usage: waiting for the database', { err, attempt })
  },
  new AbortController().signal,
)
const deps: IngestDeps = {
  store,
  holder: work.holder,
  keptLabels: work.keptLabels,
  retention: work.retention,
  isSharded: work.isSharded,
  // With shards, most requests are digested by another node than the one that received them.
  ...(work.isSharded ? {} : { recent: new RecentRequests() }),
  // Follows the system clock back, too: a clock that was ahead for a moment must not make usage look too old.
  now: Date.now,
  log,
}
let isMemoryShort = false
const stopping = new AbortController()
let retaining: Promise<void> | undefined
ingester = new Ingester(deps, work.maxSeries, () => isMemoryShort)
ingester.scheduler.start()
received = new ReceivedCollections(deps, work.maxSeries, () => isMemoryShort)
const collections = new ScheduledCollections(
  deps,
  work.collections,
  work.collectParts,
  work.collectMinutes * 60_000,
)
const timers = [setInterval(everySecond, 1000), setInterval(retain, hourMs), setTimeout(retain, 60_000)]
if (work.collections.length > 0) {
  timers.push(setInterval(() => void collections.run(), work.collectMinutes * 60_000))
  void collections.run()
}
tried.resolve()
server.ready()

/** Requests wait for the first try to open the database, and are refused while it cannot be reached. */
async function receive(request: PushedRequest): Promise<ReceiveSummary> {
  await tried.promise
  const open = ingester
  if (open === undefined) throw new StoreUnavailable('The usage thread is waiting for the database')
  return new Promise((resolve, reject) => {
    turns.add(request.organisation, () => void open.receive(request).then(resolve, reject))
  })
}

async function receiveCollected(request: CollectedRequest): Promise<CollectedSummary> {
  await tried.promise
  if (received === undefined) throw new StoreUnavailable('The usage thread is waiting for the database')
  return received.receive(request)
}

function everySecond(): void {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  isMemoryShort = used > limit * fullShare
  received!.forgetIdle()
  server.emit('figures', ingester!.figures())
}

function retain(): void {
  retaining ??= enforcingRetention().finally(() => {
    retaining = undefined
  })
}

async function enforcingRetention(): Promise<void> {
  try {
    const removed = await enforceRetention(deps, work.retention, stopping.signal)
    if (Object.values(removed).some((count) => count > 0))
      log('info', 'usage: old rows were deleted', removed)
  } catch (err) {
    if (!stopping.signal.aborted) log('warn', 'usage: retention failed; it will be retried', { err })
  }
}

async function stop(): Promise<void> {
  if (ingester === undefined) process.exit()
  for (const timer of timers) clearInterval(timer)
  stopping.abort()
  await retaining
  await collections.stop()
  await ingester.stop()
  await store.close()
}

function cloneable(more: Record<string, unknown>): Record<string, unknown> {
  const { err, ...rest } = more
  return err instanceof Error
    ? { ...rest, err: { type: err.name, message: err.message, stack: err.stack } }
    : more
}
