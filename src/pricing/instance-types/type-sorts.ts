/** A leading minus sorts in descending order. */
export const typeSorts = [
  'price',
  'price_per_core',
  'price_per_speed',
  'cores',
  '-cores',
  'memory',
  '-memory',
  'speed',
  '-speed',
  'name',
] as const
export type TypeSort = (typeof typeSorts)[number]
