import { usdOf } from '../../allocation/spend.ts'
import type { NamespaceRef } from '../../domain/subject.ts'
import type { NamespaceDraft, PricedContainer } from '../../namespace-sizes/namespace-draft.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from '../../namespace-sizes/size-namespaces.ts'
import { CompressedLines } from '../../runtime/compressed-lines.ts'
import { type AnswerArchive, type AnswerKey, CostlyAnswers } from '../../runtime/recent-answers.ts'
import { type KeptNamespace, NamespaceText, type ShownNamespace } from './namespace-text.ts'
import { namespaceCursor } from './query.ts'
import { viewSizes, viewSpend, viewTotals, viewUsd } from './view.ts'

export interface SizesAnswerDeps extends SizesDeps {
  /** Answers that were worked out lately; absent: none is kept. */
  readonly kept?: KeptSizes
}

/** Text in pieces, made as they are taken. */
interface SizesAnswer {
  readonly pieces: AsyncGenerator<string>
  /** Cursor of the next page while there is more. */
  readonly next?: string
}

/**
 * A page is sized before it is written, since its link comes before it. All there is, without pages, is written namespace by
 * namespace. An answer that was kept lately is not worked out again.
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

/** Sizes namespaces, and keeps an answer about all of them. */
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

/** In pieces: none is written before the one before was taken. */
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
    for (const container of text.containers(from, to)) {
      piece += `${separator}${container}`
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

const believedMsPerContainer = 250
const mostKept = 256
const defaults = { clockMs: () => performance.now(), mostBytes: 64 << 20, leastContainers: 500 }

/** Names what an answer rests on besides usage. */
type SizesBasis = (organisation: string) => Promise<string>

/** Answers about all namespaces of an organisation as they were worked out lately, for questions about any part of them. */
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
      ...{ leastItems: leastContainers, believedMsPerItem: believedMsPerContainer },
    })
  }

  /** Whether nothing is gained by working the answer out again now. */
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

  /** Collects an answer about all namespaces; undefined for a question about some of them. */
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

/** The part of all namespaces that a question is about. */
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

/** Where a page begins in a namespace; undefined in one that the pages before have shown. */
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
