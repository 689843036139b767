import type { ByteReader } from '../../domain/byte-reader.ts'

/** What reads a distribution where the cursor stands, or skips it. */
export interface DistributionConsumer {
  addFrom(reader: ByteReader): void
}
