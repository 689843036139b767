import type { PageEnd } from '../../costs/clusters/read-namespaces.ts'
import type { ContainerContent, NamespaceDraft } from './namespace-draft.ts'

export interface PageQuery {
  readonly limit: number
  readonly containerLimit: number | undefined
  readonly after: PageEnd | undefined
}

export class PageLimits {
  readonly #query: PageQuery
  #namespaces = 0
  #containers = 0
  last: PageEnd | undefined
  /** Whether the last namespace has containers that are left for the next page. */
  isCut = false

  constructor(query: PageQuery) {
    this.#query = query
  }

  get isFull(): boolean {
    const { limit, containerLimit = Number.POSITIVE_INFINITY } = this.#query
    return this.isCut || this.#namespaces >= limit || this.#containers >= containerLimit
  }

  /** Sets the range of the namespace's containers that the page shows. It is empty if earlier pages showed all of them. */
  select(draft: NamespaceDraft<ContainerContent>): void {
    const { containerLimit = Number.POSITIVE_INFINITY, after } = this.#query
    draft.from = startAfter(draft, after)
    draft.to = Math.min(draft.keys.length, draft.from + containerLimit - this.#containers)
    this.#namespaces++
    this.#containers += draft.to - draft.from
    this.isCut = draft.to < draft.keys.length
    this.last = {
      cluster: draft.cluster,
      namespace: draft.namespace,
      ...(this.isCut ? { container: draft.keys[draft.to - 1]! } : {}),
    }
  }
}

/** Index of the first container on the page, if the page before ended inside this namespace. */
function startAfter(
  { cluster, namespace, keys }: NamespaceDraft<ContainerContent>,
  after: PageEnd | undefined,
): number {
  const container = after?.container
  if (container === undefined || after!.cluster !== cluster || after!.namespace !== namespace) return 0
  const index = keys.findIndex((key) => key > container)
  return index < 0 ? keys.length : index
}
