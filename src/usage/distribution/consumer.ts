import type { ByteReader } from '../../domain/byte-reader.ts'

/** Reads or skips the distribution at the cursor. */
export interface DistributionConsumer {
  addFrom(reader: ByteReader): void
}
