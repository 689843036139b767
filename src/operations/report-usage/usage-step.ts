import { round } from '../../domain/money.ts'
import { type Digest, type NumberRegister, oomKills } from '../../usage/digest/digest.ts'
import { Distribution } from '../../usage/distribution/distribution.ts'
import { gibBytes, type HourRange, microcores } from '../../usage/reading/pod-usage.ts'
import { timeOf } from '../report-costs/query.ts'

const sizeNames = [
  'cpuRequestMicrocores',
  'cpuLimitMicrocores',
  'memoryRequestBytes',
  'memoryLimitBytes',
] as const

/** What was seen in one step of time. */
export class UsageStep {
  readonly #cpu = new Distribution()
  readonly #memory = new Distribution()
  readonly #subjects = new Set<string>()
  readonly #sizes = new Map<(typeof sizeNames)[number], NumberRegister>()
  #oomKills = 0
  #restarts = 0

  add(key: string, digest: Digest): void {
    this.#cpu.merge(digest.cpu)
    this.#memory.merge(digest.memory)
    this.#subjects.add(key)
    this.#oomKills += oomKills(digest)
    this.#restarts += digest.restarts
    for (const name of sizeNames) {
      const [known, told] = [this.#sizes.get(name), digest[name]]
      if (told !== undefined && (known === undefined || told.at >= known.at)) this.#sizes.set(name, told)
    }
  }

  view({ from, to }: HourRange) {
    const size = (name: (typeof sizeNames)[number], unit: number): number | null => {
      const told = this.#sizes.get(name)
      return told === undefined ? null : round(told.last / unit, 6)
    }
    return {
      start: timeOf(from),
      end: timeOf(to),
      replicas: this.#subjects.size,
      cpu_cores: {
        ...percentiles(this.#cpu, microcores),
        request: size('cpuRequestMicrocores', microcores),
        limit: size('cpuLimitMicrocores', microcores),
      },
      memory_gib: {
        ...percentiles(this.#memory, gibBytes),
        request: size('memoryRequestBytes', gibBytes),
        limit: size('memoryLimitBytes', gibBytes),
      },
      oom_kills: this.#oomKills,
      restarts: this.#restarts,
    }
  }
}

/** Null where nothing was measured. */
function percentiles(distribution: Distribution, unit: number) {
  const at = (q: number): number | null =>
    distribution.count === 0 ? null : round(distribution.quantile(q) / unit, 6)
  const mean = distribution.count === 0 ? null : round(distribution.mean / unit, 6)
  return { mean, p50: at(0.5), p95: at(0.95), max: at(1) }
}
