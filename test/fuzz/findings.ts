import type { Oracle, Verdict } from './oracle.ts'
import type { FuzzRequest } from './request.ts'
import type { Answer, NoAnswer } from './send.ts'
import { shrinkRequest } from './shrink.ts'

export interface Suspicion {
  readonly index: number
  readonly request: FuzzRequest
  readonly verdict: Verdict
  readonly key: string | undefined
}

export interface Finding {
  readonly index: number
  readonly verdict: Verdict
  /** The smallest request that still shows the fault; undefined if only a whole scenario shows it. */
  readonly request?: FuzzRequest
  /** False if the same request, sent alone, did not show the fault. */
  readonly repeats: boolean
  /** How often a similar fault was seen. */
  count: number
}

export interface FindingsParts {
  readonly oracle: Oracle
  readonly send: (request: FuzzRequest, key?: string) => Promise<Answer | NoAnswer>
  readonly isAlive: () => boolean
  /** Called after the service has ended. */
  readonly reconnect: () => Promise<void>
  /** Called once per finding, after it is minimised. */
  readonly report: (finding: Finding) => void
}

const maxTries = 400
const maxRestarts = 25
const maxFindings = 100

/**
 * Collects faults. Each is confirmed by sending the request again alone, minimised, and reported once for all similar ones.
 */
export class Findings {
  readonly #parts: FindingsParts
  readonly #found = new Map<string, Finding>()
  #suspicions: Suspicion[] = []
  /** Number of answers that were slow once, and fast when the request was sent again alone. */
  slowOnce = 0

  constructor(parts: FindingsParts) {
    this.#parts = parts
  }

  get list(): readonly Finding[] {
    return [...this.#found.values()]
  }

  suspect(suspicion: Suspicion): void {
    this.#suspicions.push(suspicion)
  }

  add({ index, verdict }: Pick<Suspicion, 'index' | 'verdict'>): void {
    this.#keep(`${verdict.kind} ${verdict.detail}`, { index, verdict, repeats: false, count: 1 })
  }

  /** Examines all suspicions while no other request is in progress. */
  async confirm(): Promise<void> {
    const suspicions = this.#suspicions
    this.#suspicions = []
    if (!this.#parts.isAlive()) return this.#findKiller(suspicions)
    for (const suspicion of suspicions) {
      const signature = signatureOf(suspicion)
      const known = this.#found.get(signature)
      if (known !== undefined) known.count++
      else if (this.#found.size < maxFindings) await this.#examine(signature, suspicion)
    }
  }

  async #examine(signature: string, { index, request, verdict, key }: Suspicion): Promise<void> {
    const { kind } = verdict
    const shows = async (candidate: FuzzRequest): Promise<boolean> =>
      (await this.#verdictOf(candidate, key))?.kind === kind && this.#parts.isAlive()
    const repeats = await shows(request)
    if (!repeats && kind === 'slow') {
      this.slowOnce++
      return
    }
    // The sender closes the connection of an incomplete message after a while. A busy service may not have answered by
    // then.
    if (!repeats && kind === 'no-answer' && request.malformed) return
    const isCostly = kind === 'slow' || request.malformed
    const tries = isCostly ? maxTries / 10 : maxTries
    const smallest = repeats ? await shrinkRequest(request, shows, tries) : request
    const last = repeats ? ((await this.#verdictOf(smallest, key)) ?? verdict) : verdict
    this.#keep(signature, { index, verdict: last, request: smallest, repeats, count: 1 })
    if (!this.#parts.isAlive()) await this.#parts.reconnect()
  }

  /** Sends each request that got no answer again, alone, to a restarted service. */
  async #findKiller(suspicions: readonly Suspicion[]): Promise<void> {
    const { send, isAlive, reconnect } = this.#parts
    await reconnect()
    const ends = async (request: FuzzRequest): Promise<boolean> => {
      await send(request)
      if (isAlive()) return false
      await reconnect()
      return true
    }
    const verdict: Verdict = { kind: 'process-ended', detail: 'the service ended' }
    const unanswered = suspicions.filter((suspicion) => suspicion.verdict.kind === 'no-answer')
    for (const { index, request } of unanswered.slice(0, maxRestarts)) {
      if (!(await ends(request))) continue
      const smallest = await shrinkRequest(request, ends, maxRestarts)
      this.#keep(`process-ended ${routeOf(request)}`, {
        index,
        verdict,
        request: smallest,
        repeats: true,
        count: 1,
      })
      return
    }
    const index = unanswered[0]?.index ?? -1
    this.#keep('process-ended', { index, verdict, repeats: false, count: 1 })
  }

  async #verdictOf(request: FuzzRequest, key: string | undefined): Promise<Verdict | undefined> {
    return this.#parts.oracle(request, await this.#parts.send(request, key))
  }

  #keep(signature: string, finding: Finding): void {
    const known = this.#found.get(signature)
    if (known !== undefined) {
      known.count++
      return
    }
    this.#found.set(signature, finding)
    this.#parts.report(finding)
  }
}

const routeOf = ({ method, path, operation, malformed }: FuzzRequest): string =>
  malformed
    ? 'message'
    : operation === undefined
      ? `${method} ${path.split('/')[1]}`
      : `${method} ${operation.path}`

/** Faults are similar if they have the same kind and text at the same route, ignoring numbers and ids. */
function signatureOf({ request, verdict }: Suspicion): string {
  const detail = verdict.detail.replace(/"(instance|request_id|detail)":"[^"]*"/g, '').replace(/[\d]+/g, '#')
  return `${verdict.kind} ${routeOf(request)} ${detail.slice(0, 120)}`
}
