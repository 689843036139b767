import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import type { UsageLoading } from '../ingest/usage-loading.ts'
import { FairQueue, QueueFull } from '../runtime/fair-queue.ts'

interface HeavyReadsOptions {
  readonly slots: number
  readonly waitSeconds: number
  readonly loading: Pick<UsageLoading, 'loaded'>
  /** Called when an answer fails after its first byte, when the only way to report it is to close the connection. */
  onFailure(error: unknown, requestId: string): void
}

const waitingPerOrganisation = 64
/** Answers of an organisation that are being computed or sent. Each is at most some megabytes in memory. */
const openPerOrganisation = 32
const retryAfterSeconds = 5

/** The problems of routes that call HeavyReads.admit. */
export const heavyReadProblems = ['busy', 'loading'] as const satisfies readonly ProblemCode[]

/** Admits requests that take much CPU time and memory: a few at a time, shared fairly between organisations. */
export class HeavyReads {
  readonly queue: FairQueue
  readonly #options: HeavyReadsOptions
  readonly #askedAtMs = new Map<string, number>()
  readonly #open = new Map<string, number>()
  readonly #slots = new WeakMap<FastifyReply, Slot>()

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
   * its slot until its answer is computed. While a client reads slowly, others have the slot.
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<AbortSignal> {
    const { organisation } = request.caller
    this.#askedAtMs.set(organisation, performance.now())
    if ((this.#open.get(organisation) ?? 0) >= openPerOrganisation) throw busy()
    const closed = new AbortController()
    const leave = () => closed.abort(new CallerGone('the client is no longer waiting for the response'))
    if (reply.raw.destroyed) leave()
    reply.raw.once('close', leave)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(busy()), this.#options.waitSeconds * 1000)
    try {
      const release = await this.queue.enter(organisation, AbortSignal.any([closed.signal, late.signal]))
      if (closed.signal.aborted) release()
      else this.#occupy(organisation, reply, release, closed.signal)
    } catch (error) {
      throw error instanceof QueueFull ? busy() : error
    } finally {
      clearTimeout(timer)
    }
    // Checked while the request has a slot, so that only a few requests check at a time.
    await this.#options.loading.loaded(organisation, closed.signal)
    return closed.signal
  }

  /** The slot is released when the whole answer has been handed to the connection, which emits 'prefinish'. */
  #occupy(organisation: string, reply: FastifyReply, release: () => void, signal: AbortSignal): void {
    const slot: Slot = { release, enter: () => this.queue.enter(organisation, signal, true) }
    this.#slots.set(reply, slot)
    this.#open.set(organisation, (this.#open.get(organisation) ?? 0) + 1)
    reply.raw.once('prefinish', () => slot.release())
    reply.raw.once('close', () => {
      slot.release()
      const open = this.#open.get(organisation)! - 1
      if (open === 0) this.#open.delete(organisation)
      else this.#open.set(organisation, open)
    })
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

  get isBusy(): boolean {
    return this.queue.inFlight > 0
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
    pieces: AsyncGenerator<Piece>,
  ): Promise<FastifyReply> {
    const first = await pieces.next()
    const stream = Readable.from(inSlot(this.#slots.get(reply), first, pieces), { highWaterMark: 1 })
    stream.on('error', (error) => {
      if (!(error instanceof CallerGone)) this.#options.onFailure(error, request.id)
    })
    return reply.send(stream)
  }
}

type Piece = string | Uint8Array

interface Slot {
  release: () => void
  enter(): Promise<() => void>
}

/** Makes pieces in the slot, which is free for others while the client reads. */
async function* inSlot(slot: Slot | undefined, first: IteratorResult<Piece>, pieces: AsyncGenerator<Piece>) {
  try {
    for (let next = first; !next.done; next = await pieces.next()) {
      slot?.release()
      yield next.value
      if (slot !== undefined) slot.release = await slot.enter()
    }
  } finally {
    await pieces.return(undefined)
  }
}

/** The client closed the connection before the answer was ready; nobody is left to receive an error. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
  readonly statusCode = 499
}

const busy = (): Problem =>
  new Problem('busy', 'Too many recommendation requests are in progress. Retry, or request smaller pages.', {
    retryAfterSeconds,
  })
