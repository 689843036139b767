import { loadOfClouds } from './providers.ts'

/** Every provider whose own price list can be read, in the order in which they are read. */
export const importers = await loadOfClouds((cloud) => cloud.prices?.())
