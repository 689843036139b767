import type { ByteReader } from '../../domain/byte-reader.ts'
import type { DigestCursor } from '../digest/cursor.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'
import type { CountAndSum, DistributionSink } from './distribution-sink.ts'

/**
 * Gathers all hours into one sum: much less work than spans, and enough to see what is too small to be judged. One builder
 * serves one container after the other.
 */
export class TotalBuilder implements DistributionSink {
  readonly partsStarts = false
  readonly #cpu = new DistributionSum()
  readonly #memory = new DistributionSum()

  /** As new, for another container. */
  begin(): void {
    this.#cpu.clear()
    this.#memory.clear()
  }

  isWhole(): boolean {
    return true
  }

  open(): void {}

  takeCpu(reader: ByteReader): CountAndSum {
    this.#cpu.addFrom(reader)
    return this.#cpu.last
  }

  takeMemory(reader: ByteReader): CountAndSum {
    this.#memory.addFrom(reader)
    return this.#memory.last
  }

  takeDay(cursor: DigestCursor): void {
    cursor.takeDay(this.#cpu, this.#memory)
  }

  count(): void {}

  finish(): { readonly cpu: Distribution; readonly memory: Distribution } {
    return { cpu: this.#cpu.total(), memory: this.#memory.total() }
  }
}
