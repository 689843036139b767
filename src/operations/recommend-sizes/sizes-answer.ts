import { usdOf } from '../../allocation/spend.ts'
import type { NamespaceRef } from '../../domain/subject.ts'
import { viewSizes, viewSpend, viewTotals, viewUsd } from '../../namespace-sizes/answer/view-namespace.ts'
import type { NamespaceDraft, PricedContainer } from '../../namespace-sizes/namespace-draft.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from '../../namespace-sizes/size-namespaces.ts'
import { CompressedLines } from '../../runtime/compressed-lines.ts'
import { type AnswerArchive, type AnswerKey, CostlyAnswers } from '../../runtime/recent-answers.ts'
import { type KeptNamespace, NamespaceText, type ShownNamespace } from './namespace-text.ts'
import { namespaceCursor } from './query.ts'

export interface SizesAnswerDeps extends SizesDeps {
  /** Recently computed answers. Without it, no answer is kept. */
  readonly kept?: KeptSizes
}

/** Text in pieces that are made as they are consumed. */
interface SizesAnswer {
  readonly pieces: AsyncGenerator<string>
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string
}

/**
 * A page is sized completely before it is written, because the link to the next page is sent before it. An answer
 * without pages is written namespace by namespace. An answer that is still kept is not computed again.
 */
export async function sizesAnswer(
  deps: SizesAnswerDeps,
  organisation: string,
  query: SizesQuery,
  format: AnswerFormat,
  signal: AbortSignal,
): Promise<SizesAnswer> {
  const kept = await deps.kept?.find(organisation, query)
  if (kept !== undefined) return answerOf(kept.shown, kept.next, format)
  const sizing = shownBy(deps, organisation, query, signal)
  const isPage = query.containerLimit !== undefined || Number.isFinite(query.limit)
  if (!isPage) return answerOf(sizing, undefined, format)
  const shown: ShownNamespace[] = []
  for (;;) {
    const { value, done } = await sizing.next()
    if (done) return answerOf(shown, value, format)
    shown.push(value)
  }
}

const answerOf = (
  shown: AsyncIterable<ShownNamespace> | Iterable<ShownNamespace>,
  next: string | undefined,
  format: AnswerFormat,
): SizesAnswer => ({ pieces: streamNamespaces(shown, format), ...(next === undefined ? {} : { next }) })

/** Sizes namespaces, and keeps the answer if it covers all of them. */
async function* shownBy(
  deps: SizesAnswerDeps,
  organisation: string,
  query: SizesQuery,
  signal: AbortSignal,
): AsyncGenerator<ShownNamespace, string | undefined> {
  const keeping = await deps.kept?.begin(organisation, query)
  const sizing = sizeNamespaces(deps, organisation, query, () => new ContainerLines(), { signal })
  for (;;) {
    const { value, done } = await sizing.next()
    if (done) {
      void keeping?.finish()
      return value && namespaceCursor(value)
    }
    const text = namespaceText(value, deps.now())
    keeping?.add(text)
    yield { text, from: value.from, to: value.to }
  }
}

/** One JSON array, or a line of JSON for each namespace. */
type AnswerFormat = 'json' | 'ndjson'

const pieceChars = 64 * 1024

/** Yields pieces of text. The next piece is made after the previous one was consumed. */
async function* streamNamespaces(
  namespaces: AsyncIterable<ShownNamespace> | Iterable<ShownNamespace>,
  format: AnswerFormat = 'json',
): AsyncGenerator<string> {
  const isArray = format === 'json'
  let piece = isArray ? '[' : ''
  let isFirst = true
  for await (const { text, from, to } of namespaces) {
    piece += `${isArray && !isFirst ? ',' : ''}${text.head}`
    isFirst = false
    let separator = ''
    for (const containers of text.containers(from, to)) {
      piece += `${separator}${containers}`
      separator = ','
      if (piece.length < pieceChars) continue
      yield piece
      piece = ''
    }
    piece += `${text.tail}${isArray ? '' : '\n'}`
  }
  yield isArray ? `${piece}]` : piece
}

/** Containers as encoded in a response, each without its last member and the closing brace. */
class ContainerLines {
  readonly lines = new CompressedLines()

  add(container: PricedContainer): void {
    this.lines.add(`${JSON.stringify(container.key)}:${JSON.stringify(viewSizes(container)).slice(0, -1)}`)
  }
}

function namespaceText(draft: NamespaceDraft<ContainerLines>, createdAt: number): NamespaceText {
  const { cluster, namespace, keys } = draft
  const head = `${JSON.stringify(viewSpend(draft, createdAt)).slice(0, -1)},"ContainerRecommendations":{`
  const tail = `},${JSON.stringify(viewTotals(draft)).slice(1)}`
  const newSpends = keys.map((_, index) => viewUsd(usdOf(draft.spendThenAt(index))))
  return new NamespaceText({ cluster, namespace, keys, head, tail, newSpends }, draft.content.lines)
}

const ttlMsPerContainer = 250
const mostKept = 256
const defaults = { clockMs: () => performance.now(), mostBytes: 64 << 20, leastContainers: 500 }

/** Returns what identifies everything except recent usage that an answer depends on. */
type SizesBasis = (organisation: string) => Promise<string>

/** Recently computed answers about all namespaces of an organisation. They also serve queries about some of these. */
export class KeptSizes {
  readonly #basis: SizesBasis
  readonly #recent: CostlyAnswers<readonly KeptNamespace[]>

  constructor(
    basis: SizesBasis,
    archive?: AnswerArchive<readonly KeptNamespace[]>,
    { clockMs, mostBytes, leastContainers } = defaults,
  ) {
    this.#basis = basis
    this.#recent = new CostlyAnswers({
      ...{ clockMs, mostSize: mostBytes, mostCount: mostKept, archive },
      ...{ leastItems: leastContainers, ttlMsPerItem: ttlMsPerContainer },
    })
  }

  /** Whether nothing would be gained by computing the answer again now. */
  async isSettled(organisation: string, query: SizesQuery): Promise<boolean> {
    return this.#recent.isSettled(await this.#keyOf(organisation, query))
  }

  async find(
    organisation: string,
    query: SizesQuery,
  ): Promise<{ readonly shown: ShownNamespace[]; readonly next: string | undefined } | undefined> {
    if (query.explain) return undefined
    const kept = await this.#recent.find(await this.#keyOf(organisation, query))
    return kept && pageOf(kept, query)
  }

  /** Collects an answer about all namespaces. Returns undefined for a query about some of them. */
  async begin(organisation: string, query: SizesQuery) {
    const { cluster, namespace, after, explain, limit, containerLimit } = query
    const isPart = [cluster, namespace, after, containerLimit].some((part) => part !== undefined)
    if (isPart || explain || Number.isFinite(limit)) return undefined
    const keeping = this.#recent.begin(await this.#keyOf(organisation, query))
    const namespaces: NamespaceText[] = []
    let [bytes, containers] = [0, 0]
    return {
      add: (text: NamespaceText): void => {
        containers += text.keys.length
        if (keeping.fits(bytes)) bytes += text.seal()
        if (keeping.fits(bytes)) namespaces.push(text)
        else namespaces.length = 0
      },
      finish: (): Promise<void> => keeping.finish(namespaces, bytes, containers),
    }
  }

  async #keyOf(organisation: string, { hours, preference, constraints }: SizesQuery): Promise<AnswerKey> {
    const name = JSON.stringify([hours.from, hours.to, preference ?? null, constraints])
    return { organisation, name, basis: await this.#basis(organisation) }
  }
}

/** Returns the namespaces and containers that a query selects. */
function pageOf(namespaces: readonly KeptNamespace[], query: SizesQuery) {
  const { cluster, namespace, after, limit, containerLimit = Number.POSITIVE_INFINITY } = query
  const shown: ShownNamespace[] = []
  let containers = 0
  for (const kept of namespaces) {
    if (cluster !== undefined && kept.cluster !== cluster) continue
    if (namespace !== undefined && kept.namespace !== namespace) continue
    if (after !== undefined && orderOf(kept, after) < 0) continue
    const text = kept.text()
    const from = after === undefined ? 0 : startAfter(text, after)
    if (from === undefined) continue
    const last = shown.at(-1)
    if (last !== undefined && (shown.length >= limit || containers >= containerLimit))
      return { shown, next: namespaceCursor(last.text) }
    const to = Math.min(text.keys.length, from + containerLimit - containers)
    if (from < to) shown.push({ text, from, to })
    containers += to - from
    if (to < text.keys.length)
      return { shown, next: namespaceCursor({ ...refOf(text), container: text.keys[to - 1]! }) }
  }
  return { shown, next: undefined }
}

const refOf = ({ cluster, namespace }: NamespaceText) => ({ cluster, namespace })

/** Returns the first container that a page shows of a namespace, or undefined if earlier pages have shown all of it. */
function startAfter(text: NamespaceText, after: NonNullable<SizesQuery['after']>): number | undefined {
  if (orderOf(text, after) > 0) return 0
  const { container } = after
  if (container === undefined) return undefined
  const index = text.keys.findIndex((key) => key > container)
  return index < 0 ? undefined : index
}

const orderOf = (one: NamespaceRef, other: NamespaceRef): number =>
  Buffer.compare(keyBytes(one), keyBytes(other))

const keyBytes = ({ cluster, namespace }: NamespaceRef): Buffer => Buffer.from(`${cluster}\0${namespace}\0`)
