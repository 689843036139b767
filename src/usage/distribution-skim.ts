import type { ByteReader } from './bytes.ts'
import type { DistributionTaker } from './digest-cursor.ts'
import { DistributionHead } from './distribution-codec.ts'

/** Reads past distributions: of each, count and sum alone. */
export class DistributionSkim implements DistributionTaker {
  readonly #head = new DistributionHead()
  /** Of the last one since these were set to 0. */
  count = 0
  sum = 0

  addFrom(reader: ByteReader): void {
    const head = this.#head
    head.read(reader)
    reader.offset = head.end
    this.count = head.count
    this.sum = head.sum
  }
}
