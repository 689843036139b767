import type { Partition } from '../usage/port.ts'

/** Who holds it digests the partition. */
export const partitionLease = ({ organisation, source }: Partition): string =>
  `usage/${encodeURIComponent(organisation)}/${source}`
