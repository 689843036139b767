import type { PageEnd } from '../../cluster-usage/read-namespaces.ts'
import type { NamespaceRef } from '../../domain/subject.ts'
import { type Clock, hourMs } from '../../domain/time.ts'
import { type AnswerArchive, AnswerCache, type AnswerKey } from '../../runtime/answer-cache.ts'
import { RecentPacks } from '../../runtime/compressed-bytes.ts'
import type { SizesQuery } from '../size-namespaces.ts'
import {
  type KeptAnswer,
  KeptAnswerBuilder,
  type KeptNamespace,
  type ShownRange,
  streamKept,
} from './kept-answer.ts'
import type { NamespaceText } from './namespace-text.ts'
import type { SizesFormat } from './write-namespaces.ts'

const ttlMsPerContainer = 250
const maxKept = 256
/** As much as the last three answers about 10,000 containers. */
const maxUnpackedBytes = 32 << 20
const defaults = { clockMs: () => performance.now(), maxBytes: 64 << 20, minContainers: 500 }

interface SizesCacheDeps {
  readonly now: Clock
  /** Returns what identifies everything except recent usage that an answer depends on. */
  basis(organisation: string): Promise<string>
}

interface SelectedRanges {
  readonly shown: readonly ShownRange[]
  /** Where the page ends; undefined on the last one. */
  readonly next: PageEnd | undefined
}

interface SizesPage extends Pick<SelectedRanges, 'next'> {
  /** Yields the text. The next piece is made after the previous one was consumed. */
  pieces(format: SizesFormat): AsyncGenerator<string | Uint8Array>
}

/** Recently computed answers about all namespaces of an organisation. They also serve queries about some of these. */
export class SizesCache {
  readonly #deps: SizesCacheDeps
  readonly #recent: AnswerCache<KeptAnswer>
  readonly #packs = new RecentPacks(maxUnpackedBytes)

  constructor(
    deps: SizesCacheDeps,
    archive?: AnswerArchive<KeptAnswer>,
    { clockMs, maxBytes, minContainers } = defaults,
  ) {
    this.#deps = deps
    this.#recent = new AnswerCache({
      clockMs,
      maxSize: maxBytes,
      maxCount: maxKept,
      archive,
      minItems: minContainers,
      ttlMsPerItem: ttlMsPerContainer,
    })
  }

  /** Whether nothing would be gained by computing the answer again now. */
  async isSettled(organisation: string, query: SizesQuery): Promise<boolean> {
    return this.#recent.isSettled(await this.#keyOf(organisation, query))
  }

  async find(organisation: string, query: SizesQuery): Promise<SizesPage | undefined> {
    if (query.explain) return undefined
    const cached = await this.#recent.find(await this.#keyOf(organisation, query))
    if (cached === undefined) return undefined
    const { shown, next } = select(cached, query)
    return { next, pieces: (format) => streamKept(cached, shown, format, this.#packs) }
  }

  /** Collects an answer about all namespaces. Returns undefined for a query about some of them. */
  async begin(organisation: string, query: SizesQuery) {
    const { cluster, namespace, after, explain, limit, containerLimit } = query
    const isPart = [cluster, namespace, after, containerLimit].some((part) => part !== undefined)
    if (isPart || explain || Number.isFinite(limit)) return undefined
    const keeping = this.#recent.begin(await this.#keyOf(organisation, query))
    const builder = new KeptAnswerBuilder()
    let containers = 0
    return {
      add: (text: NamespaceText): void => {
        containers += text.keys.length
        if (keeping.fits(builder.size)) builder.add(text)
      },
      finish: (): Promise<void> => keeping.finish(builder.finish(), builder.size, containers),
    }
  }

  async #keyOf(organisation: string, { hours, preference, constraints }: SizesQuery): Promise<AnswerKey> {
    const name = JSON.stringify([hours.from, hours.to, preference ?? null, constraints])
    const endedForMs = this.#deps.now() - hours.to * hourMs
    return { organisation, name, basis: await this.#deps.basis(organisation), endedForMs }
  }
}

/** Returns the namespaces and containers that a query selects. */
function select({ namespaces }: KeptAnswer, query: SizesQuery): SelectedRanges {
  const { cluster, namespace, after, limit, containerLimit = Number.POSITIVE_INFINITY } = query
  const shown: ShownRange[] = []
  let containers = 0
  for (const kept of namespaces) {
    if (cluster !== undefined && kept.cluster !== cluster) continue
    if (namespace !== undefined && kept.namespace !== namespace) continue
    if (after !== undefined && orderOf(kept, after) < 0) continue
    const from = after === undefined ? 0 : startAfter(kept, after)
    if (from === undefined) continue
    const last = shown.at(-1)
    if (last !== undefined && (shown.length >= limit || containers >= containerLimit))
      return { shown, next: refOf(last.kept) }
    const to = Math.min(kept.containers, from + containerLimit - containers)
    if (from < to) shown.push({ kept, from, to })
    containers += to - from
    if (to < kept.containers) {
      const container = kept.places().keys[to - 1]!
      return { shown, next: { ...refOf(kept), container } }
    }
  }
  return { shown, next: undefined }
}

const refOf = ({ cluster, namespace }: NamespaceRef) => ({ cluster, namespace })

/** Returns the first container that a page shows of a namespace, or undefined if earlier pages have shown all of it. */
function startAfter(kept: KeptNamespace, after: NonNullable<SizesQuery['after']>): number | undefined {
  if (orderOf(kept, after) > 0) return 0
  const { container } = after
  if (container === undefined) return undefined
  const index = kept.places().keys.findIndex((key) => key > container)
  return index < 0 ? undefined : index
}

const orderOf = (one: NamespaceRef, other: NamespaceRef): number =>
  Buffer.compare(keyBytes(one), keyBytes(other))

const keyBytes = ({ cluster, namespace }: NamespaceRef): Buffer => Buffer.from(`${cluster}\0${namespace}\0`)
