import { ByteBudget } from '../runtime/byte-budget.ts'
import type { Partition } from '../usage/port.ts'
import { partitionLease } from '../usage/shard.ts'
import type { DecodedSamples } from './remote-write/samples.ts'

/** A request in the journal, and the samples that were decoded before it was acknowledged. */
interface RecentRequest {
  readonly body: Uint8Array
  readonly samples: DecodedSamples
}

/** Not read from the journal and decoded a second time; what does not fit is, as all are after a restart. */
export class RecentRequests {
  readonly #budget: ByteBudget
  /** Requests by partition and sequence number. */
  readonly #requests = new Map<string, Map<number, RecentRequest>>()

  constructor(maxBytes = 32 << 20) {
    this.#budget = new ByteBudget(maxBytes)
  }

  keep(partition: Partition, sequence: number, request: RecentRequest): void {
    if (!this.#budget.reserve(partition.organisation, bytesOf(request))) return
    const name = partitionLease(partition)
    const requests = this.#requests.get(name) ?? new Map<number, RecentRequest>()
    this.#requests.set(name, requests.set(sequence, request))
  }

  requestsOf(partition: Partition): ReadonlyMap<number, RecentRequest> {
    return this.#requests.get(partitionLease(partition)) ?? new Map()
  }

  forget(partition: Partition, sequence: number): void {
    const name = partitionLease(partition)
    const requests = this.#requests.get(name)
    if (requests === undefined) return
    for (const [kept, request] of requests) {
      if (kept > sequence) continue
      requests.delete(kept)
      this.#budget.release(partition.organisation, bytesOf(request))
    }
    if (requests.size === 0) this.#requests.delete(name)
  }
}

const sampleBytes = 24
const bytesOf = ({ body, samples }: RecentRequest): number =>
  body.byteLength + sampleBytes * samples.values.length
