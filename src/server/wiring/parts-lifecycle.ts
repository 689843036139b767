import { setTimeout as pause } from 'node:timers/promises'
import { openStore, type PendingStore, retryUntilOpen } from '../../store/open.ts'
import type { StoreUnavailable } from '../../store/port.ts'
import { type ChangeWatch, watchChanges } from '../../store/watch.ts'
import { type Job, type ServiceContext, type ServicePart, storeAddress } from './service-part.ts'

const pollMs = 1000
/** Requests with unknown keys, however many, cause no more polls than one in this time. */
const minPollPauseMs = 200

interface LifecycleContext extends Pick<ServiceContext, 'settings' | 'log' | 'reportError'> {
  readonly store: PendingStore
}

/** Starts the parts of a service once the database is available, runs their jobs, and stops them. */
export class PartsLifecycle {
  readonly #context: LifecycleContext
  readonly #stopping = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #started: ServicePart[] = []
  readonly #running = new Map<Job, Promise<void>>()
  #watch: ChangeWatch | undefined
  #nextPoll: Promise<void> | undefined

  constructor(context: LifecycleContext) {
    this.#context = context
  }

  /** Seconds since the database last confirmed that the keys in memory are current. */
  secondsUnreachable(): number {
    return (performance.now() - (this.#watch?.freshAt('keys') ?? Number.NEGATIVE_INFINITY)) / 1000
  }

  /** Resolves when everything is loaded that other nodes had changed before the call. */
  loadChanges(): Promise<void> {
    this.#nextPoll ??= this.#pollSoon()
    return this.#nextPoll
  }

  async #pollSoon(): Promise<void> {
    const sincePollMs = performance.now() - (this.#watch?.lastReadAt ?? Number.NEGATIVE_INFINITY)
    await pause(Math.max(0, minPollPauseMs - sincePollMs))
    this.#nextPoll = undefined
    await this.#watch?.checkNow()
  }

  /** Returns false if the service is stopped before everything had started. */
  async start(parts: readonly ServicePart[]): Promise<boolean> {
    const { settings, store, log, reportError } = this.#context
    const reports = {
      onReplicaError: (err: StoreUnavailable) =>
        log('warn', 'usage is read from DATABASE_URL, because CHEAPSIDE_READ_DATABASE_URL cannot be used', {
          err,
        }),
      onMigration: (to: number, latest: number) =>
        log('info', `migrating the database to version ${to} of ${latest}`),
    }
    const opened = await this.#retryUntilOpen(() => openStore(storeAddress(settings), reports))
    store.open(opened)
    for (const part of parts) {
      await this.#retryUntilOpen(async () => part.start?.())
      this.#started.push(part)
    }
    this.#watch = watchChanges(store.changes, {
      pollMs,
      onChange: async (topic) => {
        for (const part of parts) await part.onChange?.(topic)
      },
      onError: (error) => reportError('warn', 'polling the database for changes failed', error),
    })
    await this.#watch.checkNow()
    if (this.#stopping.signal.aborted) return false
    for (const part of parts) this.#scheduleJobs(part)
    return true
  }

  abort(): void {
    this.#stopping.abort()
  }

  /** Stops the parts in the order in which they were started, each with its jobs, then closes the store. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#watch?.stop()
    for (const part of this.#started)
      await Promise.all([part.stop?.(), ...(part.jobs ?? []).map((job) => this.#running.get(job))])
    await this.#context.store.close()
  }

  #retryUntilOpen<T>(attempt: () => Promise<T>): Promise<T> {
    return retryUntilOpen(
      attempt,
      (error, count) =>
        this.#context.reportError('warn', 'waiting for the database', error, { attempt: count }),
      this.#stopping.signal,
    )
  }

  /** A job runs once at a time. */
  #scheduleJobs({ jobs = [] }: ServicePart): void {
    for (const job of jobs) {
      const run = () => {
        if (this.#running.has(job)) return
        const running = job
          .run()
          .catch((error) =>
            this.#context.reportError('warn', `${job.name} failed; it will be retried`, error),
          )
          .finally(() => this.#running.delete(job))
        this.#running.set(job, running)
      }
      this.#timers.push(setInterval(run, job.everyMs))
      if (job.firstAfterMs === 0) run()
      else if (job.firstAfterMs !== undefined) this.#timers.push(setTimeout(run, job.firstAfterMs))
    }
  }
}
