import type { NamespaceUsage } from '../costs/clusters/namespace-usage.ts'
import { readNamespaces } from '../costs/clusters/read-namespaces.ts'
import type { Workload } from '../rightsizing/workload.ts'
import type { Yielder } from '../runtime/yielder.ts'
import type { Container } from '../usage/reading/containers.ts'
import { type DecidingDeps, lookback, withoutLoads } from './decide-namespace.ts'
import type { SizeDecision } from './decision.ts'
import { sizingWorkload } from './sizing-workload.ts'

type DecidedUsage = Pick<Workload, 'spans' | 'busiest' | 'memoryFacts'>

/** Reads the usage again that decisions were made from, to explain them. Containers are asked for in order of key. */
export class LookbackUsage {
  readonly #deps: DecidingDeps
  readonly #organisation: string
  readonly #yielder: Yielder
  #namespace: NamespaceUsage | undefined
  /** The containers of the namespace by the hour of decisions. Most have the same hour. */
  readonly #walks = new Map<number, ContainerWalk>()

  constructor(deps: DecidingDeps, organisation: string, yielder: Yielder) {
    this.#deps = deps
    this.#organisation = organisation
    this.#yielder = yielder
  }

  /** Returns undefined if nothing of the container is stored from before the decision. */
  async of(
    namespace: NamespaceUsage,
    key: string,
    { evidence }: SizeDecision,
  ): Promise<DecidedUsage | undefined> {
    if (this.#namespace !== namespace) this.#walks.clear()
    this.#namespace = namespace
    const { hour } = evidence
    const walk = this.#walks.getOrInsertComputed(
      hour,
      () => new ContainerWalk(this.#containersBefore(hour, namespace)),
    )
    const container = await walk.find(key)
    if (container === undefined) return undefined
    const { spans, busiest, memoryFacts = {} } = sizingWorkload(container, undefined)
    return { spans, ...(busiest === undefined ? {} : { busiest }), memoryFacts }
  }

  async *#containersBefore(hour: number, { cluster, namespace }: NamespaceUsage) {
    const query = { hours: lookback(hour), cluster, namespace, after: undefined }
    for await (const reading of readNamespaces(
      withoutLoads(this.#deps),
      this.#organisation,
      query,
      this.#yielder,
    ))
      yield* reading.batches()
  }
}

class ContainerWalk {
  readonly #batches: AsyncIterator<readonly Container[]>
  #batch: readonly Container[] = []

  constructor(batches: AsyncIterator<readonly Container[]>) {
    this.#batches = batches
  }

  async find(key: string): Promise<Container | undefined> {
    while (!(this.#batch.length > 0 && this.#batch.at(-1)!.key >= key)) {
      const { value, done } = await this.#batches.next()
      if (done) return undefined
      this.#batch = value
    }
    return this.#batch.find((container) => container.key === key)
  }
}
