import type { PageEnd } from '../../cluster-usage/read-namespaces.ts'
import type { NamespaceRef } from '../../domain/subject.ts'
import { type AnswerArchive, AnswerCache, type AnswerKey } from '../../runtime/answer-cache.ts'
import type { SizesQuery } from '../size-namespaces.ts'
import type { CachedNamespace, NamespaceText, ShownNamespace } from './namespace-text.ts'

const ttlMsPerContainer = 250
const maxKept = 256
const defaults = { clockMs: () => performance.now(), maxBytes: 64 << 20, minContainers: 500 }

/** Returns what identifies everything except recent usage that an answer depends on. */
type SizesBasis = (organisation: string) => Promise<string>

interface SizesPage {
  readonly shown: ShownNamespace[]
  /** Where the page ends; undefined on the last one. */
  readonly next: PageEnd | undefined
}

/** Recently computed answers about all namespaces of an organisation. They also serve queries about some of these. */
export class SizesCache {
  readonly #basis: SizesBasis
  readonly #recent: AnswerCache<readonly CachedNamespace[]>

  constructor(
    basis: SizesBasis,
    archive?: AnswerArchive<readonly CachedNamespace[]>,
    { clockMs, maxBytes, minContainers } = defaults,
  ) {
    this.#basis = basis
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
    return cached && pageOf(cached, query)
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
function pageOf(namespaces: readonly CachedNamespace[], query: SizesQuery): SizesPage {
  const { cluster, namespace, after, limit, containerLimit = Number.POSITIVE_INFINITY } = query
  const shown: ShownNamespace[] = []
  let containers = 0
  for (const cached of namespaces) {
    if (cluster !== undefined && cached.cluster !== cluster) continue
    if (namespace !== undefined && cached.namespace !== namespace) continue
    if (after !== undefined && orderOf(cached, after) < 0) continue
    const text = cached.text()
    const from = after === undefined ? 0 : startAfter(text, after)
    if (from === undefined) continue
    const last = shown.at(-1)
    if (last !== undefined && (shown.length >= limit || containers >= containerLimit))
      return { shown, next: refOf(last.text) }
    const to = Math.min(text.keys.length, from + containerLimit - containers)
    if (from < to) shown.push({ text, from, to })
    containers += to - from
    if (to < text.keys.length) return { shown, next: { ...refOf(text), container: text.keys[to - 1]! } }
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
