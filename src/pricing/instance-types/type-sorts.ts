/** A leading minus sorts in descending order. */
export const typeSorts = [
  'price',
  '-price',
  'price_per_core',
  '-price_per_core',
  'price_per_speed',
  '-price_per_speed',
  'cores',
  '-cores',
  'memory',
  '-memory',
  'speed',
  '-speed',
  'regions',
  '-regions',
  'name',
  '-name',
] as const
export type TypeSort = (typeof typeSorts)[number]
