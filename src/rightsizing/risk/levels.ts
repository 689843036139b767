import type { Resource } from '../input.ts'
import type { BaseName } from '../model/grid.ts'

export const profileNames = ['cost', 'balanced', 'safe'] as const
export type ProfileName = (typeof profileNames)[number]

/** One level of risk: the base that requests are a multiple of, and what risk costs. */
export interface RiskLevel {
  readonly base: BaseName
  readonly prices: RiskPrices
}

/**
 * What risk costs, relative to the price of one base of the resource. Raising either price never lowers a request.
 * A request of m bases costs m. Usage above it costs `depth` for each base, and a share of time above it costs that share of
 * `time`, more for a series smaller than the fleet's mean (headroom is cheap there) and less for a larger one.
 */
export interface RiskPrices {
  readonly time: number
  readonly depth: number
  /** No series is planned to be above its request for a larger share of the time than this. */
  readonly mostShare: number
}

/** No series is planned to be above its request for a larger share of its time (CPU) or of its days (memory). */
export const maxShare = { cpu: 0.25, memory: 0.3 } as const satisfies Record<Resource, number>

const cpu = (base: BaseName, time: number, depth: number): RiskLevel => ({
  base,
  prices: { time, depth, mostShare: maxShare.cpu },
})
const memory = (time: number): RiskLevel => ({
  base: 'peak',
  prices: { time, depth: 0, mostShare: maxShare.memory },
})

/** Levels from loose to strict. Each asks for at least as much as the one before it. */
export const riskLevels: Readonly<Record<Resource, readonly RiskLevel[]>> = {
  cpu: [
    cpu('p95', 1, 4),
    cpu('p95', 3, 8),
    cpu('p99', 3, 17),
    cpu('p99', 4, 48),
    cpu('p995', 16, 96),
    cpu('p995', 48, 192),
    cpu('p995', 150, 600),
  ],
  memory: [memory(0.5), memory(1.7), memory(4), memory(8), memory(16), memory(48), memory(150)],
}

/** The positions of the profiles among the levels of both resources. */
export const profileLevels = { cost: 1, balanced: 3, safe: 5 } as const satisfies Record<ProfileName, number>

/** Shares above the request that the levels came to on public traces, for a service without a model of its own. */
export const nominalRisks: Readonly<Record<Resource, readonly number[]>> = {
  cpu: [0.05, 0.018, 0.011, 0.007, 0.003, 0.0016, 0.0005],
  memory: [0.07, 0.045, 0.03, 0.022, 0.014, 0.008, 0.005],
}

/** CPU usage above the request divided by all usage, as the levels came to on the same traces. */
export const nominalShortfalls: readonly number[] = [0.06, 0.035, 0.018, 0.009, 0.005, 0.003, 0.001]
