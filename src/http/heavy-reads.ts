import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../domain/problem.ts'
import type { UsageLoading } from '../ingest/usage-loading.ts'
import { FairQueue, QueueFull } from '../runtime/fair-queue.ts'

interface HeavyReadsOptions {
  /** Worked on at a time. */
  readonly slots: number
  readonly waitSeconds: number
  readonly loading: Pick<UsageLoading, 'loaded'>
  /** An answer failed after its first byte, so that its caller can only be cut off. */
  onFailure(error: unknown, requestId: string): void
}

const waitingPerOrganisation = 64
const retryAfterSeconds = 5

/** Admits requests whose answers are much work, a few at a time and in fair turns. */
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
   * Resolves when the work may begin, with a signal that fires when the caller has gone. The request's turn ends with
   * its answer: until then what was worked out for it is held in memory.
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<AbortSignal> {
    const { organisation } = request.caller
    this.#askedAtMs.set(organisation, performance.now())
    const closed = new AbortController()
    const leave = () => closed.abort(new CallerGone('nobody waits for the answer'))
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
    // Checked inside its turn, so that only a few requests check at a time.
    await this.#options.loading.loaded(organisation, closed.signal)
    return closed.signal
  }

  /** Work in a turn of the organisation, whether or not somebody waits for it. */
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

  /** Whether anybody's request is in progress; work that nobody waits for pauses meanwhile. */
  get isBusy(): boolean {
    return this.queue.underWay > 0
  }

  /** Organisations whose requests came within a time; the others are forgotten. */
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
   * Sends pieces of text as the client takes them. The first is made before anything is sent, so that what fails until then is
   * answered as a problem; what fails later destroys the connection, and no client takes a part for the whole.
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

/** The connection was closed before the answer was made; nobody receives an error. */
class CallerGone extends Error {
  override readonly name = 'CallerGone'
  readonly statusCode = 499
}

const busy = (): Problem =>
  new Problem('busy', 'Too many recommendation requests are in progress. Retry, or request smaller pages.', {
    retryAfterSeconds,
  })
