import { hourMs } from '../usage/digest/digest.ts'

/** Pushed samples that are older when they arrive, or further ahead of our clock, are left. */
export const sampleAgeLimits = { maxAgeMs: 48 * hourMs, maxAheadMs: 10 * 60_000 }
