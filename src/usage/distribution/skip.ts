import type { ByteReader } from '../../domain/byte-reader.ts'
import { DistributionHeader } from './header.ts'

/** Reads past distributions: of each, count and sum alone. */
export class DistributionSkipper implements DistributionConsumer {
  /** Count and sum of the last distribution read; callers reset them to 0. */
  count = 0
  sum = 0
  readonly #header = new DistributionHeader()

  addFrom(reader: ByteReader): void {
    const header = this.#header
    header.read(reader)
    reader.offset = header.end
    this.count = header.count
    this.sum = header.sum
  }
}

/** Reads or skips the distribution at the cursor. */
export interface DistributionConsumer {
  addFrom(reader: ByteReader): void
}
