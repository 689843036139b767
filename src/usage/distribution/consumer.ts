import type { ByteReader } from '../bytes.ts'

/** What reads a distribution where the cursor stands, or skips it. */
export interface DistributionTaker {
  addFrom(reader: ByteReader): void
}
