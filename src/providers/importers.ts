import { loadOfClouds } from './providers.ts'

export const importers = await loadOfClouds((cloud) => cloud.prices?.())
