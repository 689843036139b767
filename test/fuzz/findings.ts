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
  /** The smallest that still shows it; none where only a whole scenario does. */
  readonly request?: FuzzRequest
  /** False where the same request alone did not show it. */
  readonly repeats: boolean
  /** How often something alike was seen. */
  count: number
}

export interface FindingsParts {
  readonly oracle: Oracle
  readonly send: (request: FuzzRequest, key?: string) => Promise<Answer | NoAnswer>
  readonly isAlive: () => boolean
  /** After the service ended. */
  readonly reconnect: () => Promise<void>
  /** Called once per finding, after it is minimised. */
  readonly report: (finding: Finding) => void
}

const mostTries = 400
const mostRestarts = 25
const mostFindings = 100

/** What was found: asked once more alone, made small, and told once for all that is alike. */
export class Findings {
  readonly #parts: FindingsParts
  readonly #found = new Map<string, Finding>()
  #suspicions: Suspicion[] = []
  /** Answers that were slow once, and quick when asked again alone. */
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

  /** Looks at all that was suspected, while nothing else is under way. */
  async confirm(): Promise<void> {
    const suspicions = this.#suspicions
    this.#suspicions = []
    if (!this.#parts.isAlive()) return this.#findKiller(suspicions)
    for (const suspicion of suspicions) {
      const signature = signatureOf(suspicion)
      const known = this.#found.get(signature)
      if (known !== undefined) known.count++
      else if (this.#found.size < mostFindings) await this.#examine(signature, suspicion)
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
    // A message without an end is cut off by us after a while, which a busy service may not have answered by then.
    if (!repeats && kind === 'no-answer' && request.malformed) return
    const isCostly = kind === 'slow' || request.malformed
    const tries = isCostly ? mostTries / 10 : mostTries
    const smallest = repeats ? await shrinkRequest(request, shows, tries) : request
    const last = repeats ? ((await this.#verdictOf(smallest, key)) ?? verdict) : verdict
    this.#keep(signature, { index, verdict: last, request: smallest, repeats, count: 1 })
    if (!this.#parts.isAlive()) await this.#parts.reconnect()
  }

  /** Asks each request that got no answer again, alone, on a service that was started anew. */
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
    for (const { index, request } of unanswered.slice(0, mostRestarts)) {
      if (!(await ends(request))) continue
      const smallest = await shrinkRequest(request, ends, mostRestarts)
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

/** What is alike: the same fault at the same route, whatever the numbers and ids in it. */
function signatureOf({ request, verdict }: Suspicion): string {
  const detail = verdict.detail.replace(/"(instance|request_id|detail)":"[^"]*"/g, '').replace(/[\d]+/g, '#')
  return `${verdict.kind} ${routeOf(request)} ${detail.slice(0, 120)}`
}
