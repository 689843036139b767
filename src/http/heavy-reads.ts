import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import type { UsageLoading } from '../ingest/usage-loading.ts'
import { FairQueue, QueueFull } from '../runtime/fair-queue.ts'

interface HeavyReadsOptions {
  /** Number of requests that are worked on at a time. */
  readonly slots: number
  readonly waitSeconds: number
  readonly loading: Pick<UsageLoading, 'loaded'>
  /** Called when an answer fails after its first byte, when the only way to report it is to close the connection. */
  onFailure(error: unknown, requestId: string): void
}

const waitingPerOrganisation = 64
const retryAfterSeconds = 5

/** The problems of routes that call HeavyReads.admit. */
export const heavyReadProblems = ['busy', 'loading'] as const satisfies readonly ProblemCode[]

/** Admits requests that take much CPU time and memory: a few at a time, shared fairly between organisations. */
export class HeavyReads {
  readonly queue: FairQueue
  readonly #options: HeavyReadsOptions
  readonly #askedAtMs = new Map<string, number>()

  constructor(options: HeavyReadsOptions) {
    const { slots } = options
    this.queue = new FairQueue({
      slots,
      slotsPerOwner: Math.max(1, Math.floor(slots / 2)),
      waitingPerOwner: waitingPerOrganisation,
    })
    this.#options = options
  }

  /**
   * Resolves when the work may begin, with a signal that fires when the caller closes the connection. The request keeps
   * its slot until its answer is sent, because its results are in memory until then.
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<AbortSignal> {
    const { organisation } = request.caller
    this.#askedAtMs.set(organisation, performance.now())
    const closed = new AbortController()
    const leave = () => closed.abort(new CallerGone('the client is no longer waiting for the response'))
    if (reply.raw.destroyed) leave()
    reply.raw.once('close', leave)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(busy()), this.#options.waitSeconds * 1000)
    try {
      const release = await this.queue.enter(organisation, AbortSignal.any([closed.signal, late.signal]))
      if (closed.signal.aborted) release()
      else reply.raw.once('close', release)
    } catch (error) {
      throw error instanceof QueueFull ? busy() : error
    } finally {
      clearTimeout(timer)
    }
    // Checked while the request has a slot, so that only a few requests check at a time.
    await this.#options.loading.loaded(organisation, closed.signal)
    return closed.signal
  }

  /** Runs work in a slot of the organisation. It need not belong to a request. */
  async run<Result>(organisation: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const release = await this.queue.enter(organisation, signal).catch((error: unknown) => {
      throw error instanceof QueueFull ? busy() : error
    })
    try {
      await this.#options.loading.loaded(organisation, signal)
      return await work()
    } finally {
      release()
    }
  }

  /** Whether any request is in progress. Background work pauses meanwhile. */
  get isBusy(): boolean {
    return this.queue.underWay > 0
  }

  /** Organisations that sent a request within this time. Forgets the others. */
  askedWithin(ms: number): string[] {
    const sinceMs = performance.now() - ms
    for (const [organisation, atMs] of this.#askedAtMs)
      if (atMs < sinceMs) this.#askedAtMs.delete(organisation)
    return [...this.#askedAtMs.keys()]
  }

  /** Resolves once all usage that was acknowledged before the start can be read. */
  loaded(organisation: string, signal: AbortSignal): Promise<void> {
    return this.#options.loading.loaded(organisation, signal)
  }

  /**
   * Streams pieces of text as fast as the client reads them. The first piece is made before anything is sent, so that an
   * error until then is answered as a problem. A later error destroys the connection, so that no client takes a partial
   * answer for a complete one.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    pieces: AsyncGenerator<string>,
  ): Promise<FastifyReply> {
    const first = await pieces.next()
    const stream = Readable.from(startingWith(first, pieces), { highWaterMark: 1 })
    stream.on('error', (error) => {
      if (!(error instanceof CallerGone)) this.#options.onFailure(error, request.id)
    })
    return reply.send(stream)
  }
}

async function* startingWith(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done) return
  yield first.value
  yield* rest
}

/** The client closed the connection before the answer was ready; nobody is left to receive an error. */
class CallerGone extends Error {
  override readonly name = 'CallerGone'
  readonly statusCode = 499
}

const busy = (): Problem =>
  new Problem('busy', 'Too many recommendation requests are in progress. Retry, or request smaller pages.', {
    retryAfterSeconds,
  })
