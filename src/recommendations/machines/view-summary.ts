import type { Amount } from '../../decisions/processes/size-process.ts'
import { round } from '../../domain/money.ts'
import { minMeasuredHours, withSystemMemory } from '../../domain/recommendation.ts'
import { type Clock, timeOfHour } from '../../domain/time.ts'
import type { CoveredHour } from '../../pricing/commitments/covered-hour.ts'
import type { Market, PricingDeps } from '../../pricing/market.ts'
import {
  type MachinePrice,
  priceMachine,
  type ReportedMachine,
  reportedMachine,
  whyUnpriced,
} from '../../pricing/reported-machine.ts'
import { type Entity, isSilentSince } from '../../usage/digest/entities.ts'
import { type MachineOptions, machineOptions } from './machine-options.ts'
import { machineSpend } from './process-costs.ts'
import { type FoundRehost, rehost } from './rehost.ts'
import type { Rehost, VmSummary } from './schema.ts'
import { type SizedMachine, type SizedProcess, sumOf } from './usage/machine.ts'

export function viewSummary(
  { machine, processes }: { readonly machine: SizedMachine; readonly processes: readonly SizedProcess[] },
  capacity: Capacity,
): VmSummary {
  const sums = sumsOf(processes, capacity)
  const [current, recommended] = [rounded(sums.current), rounded(sums.recommended)]
  return {
    vm: machine.vm,
    creationTime: new Date(machine.createdAt).toISOString(),
    totalCurrentCPU: current.cores,
    totalCurrentRAM: current.gib,
    totalRecommendedCPU: recommended.cores,
    totalRecommendedRAM: recommended.gib,
    expectedUtilisationCPU: utilisation(sums.expected.cores, sums.recommended.cores),
    expectedUtilisationRAM: utilisation(sums.expected.gib, sums.recommended.gib),
  }
}

/** 0.6 cores used on average of 0.8 recommended -> 75. Returns 0 if nothing is recommended. */
const utilisation = (expected: number, recommended: number): number =>
  recommended > 0 ? round((100 * expected) / recommended, 3) : 0

type Capacity = Pick<ReportedMachine, 'cores' | 'gib'>

const sumsOf = (processes: readonly SizedProcess[], capacity: Capacity) => ({
  current: sumOf(processes, ({ current }) => current),
  recommended: sumWithin(capacity, processes, ({ recommended }) => recommended),
  expected: sumWithin(capacity, processes, ({ expected }) => expected),
})

const boundsOn = (processes: readonly SizedProcess[], capacity: Capacity) => ({
  lower: sumWithin(capacity, processes, ({ lower }) => lower),
  upper: sumWithin(capacity, processes, ({ upper }) => upper),
})

/** Peaks of processes seldom coincide, so the sum is limited to the size of the machine if that is known. */
const sumWithin = (
  capacity: Capacity,
  processes: readonly SizedProcess[],
  amountOf: (process: SizedProcess) => Amount,
): Amount => atMost(capacity, sumOf(processes, amountOf))

const atMost = (capacity: Capacity, { cores, gib }: Amount): Amount => ({
  cores: Math.min(cores, capacity.cores ?? cores),
  gib: Math.min(gib, capacity.gib ?? gib),
})

const rounded = ({ cores, gib }: Amount): Amount => ({ cores: round(cores, 6), gib: round(gib, 6) })

/** Considers the whole machine whichever processes are selected, because a machine is replaced as a whole. */
export function viewRehost(
  { pricing, now }: { readonly pricing: PricingDeps; readonly now: Clock },
  market: Market,
  machine: SizedMachine,
  described: Entity | undefined,
  hour?: CoveredHour,
): Pick<VmSummary, 'measuredHours' | 'idle' | 'spend' | 'rehost'> {
  const price = priceMachine(pricing, market, described)
  const facts = reportedMachine(described)
  const { recommended } = sumsOf(machine.processes, facts)
  const { lower, upper } = boundsOn(machine.processes, facts)
  const withReserve = ({ cores, gib }: Amount): Amount => ({
    cores,
    gib: withSystemMemory(gib, facts.gib ?? Number.POSITIVE_INFINITY),
  })
  const band = { target: withReserve(recommended), lower: withReserve(lower), upper: withReserve(upper) }
  const committed = hour && described && hour.committedMachine(described)
  const priced = {
    facts,
    price,
    committed,
    ...(price.source === 'base' ? { whyUnpriced: whyUnpriced(pricing, market, described) } : {}),
  }
  const time = now()
  const found = rehost(pricing, market, priced, band, machine.measuredHours)
  const notes = [...silenceNotes(described, time), ...found.notes]
  return {
    measuredHours: round(machine.measuredHours, 3),
    idle: isIdle(machine, price),
    spend: machineSpend(price, machine) ?? null,
    rehost: withOptions({ ...found, notes }, () =>
      machineOptions(
        pricing,
        market,
        facts,
        band.target,
        new Date(time).toISOString().slice(0, 10),
        committed,
      ),
    ),
  }
}

/** A machine whose agent has stopped may be gone. `last_seen` of GET /v1/sources is the same hour. */
function silenceNotes(described: Entity | undefined, nowMs: number): string[] {
  if (described === undefined || !isSilentSince(described.lastHour, nowMs)) return []
  const since = timeOfHour(described.lastHour).slice(0, 16).replace('T', ' ')
  return [`No data since ${since} UTC: check that the machine still runs.`]
}

/** Options need the same evidence as any replacement. */
function withOptions(found: FoundRehost, options: () => MachineOptions): Rehost {
  return found.reasons.length > 0 ? { ...found, options: [] } : { ...found, ...options() }
}

/**
 * Share of the cores below which a machine is idle, as in Azure Advisor's rule for shutting down machines
 * (learn.microsoft.com/azure/advisor).
 */
const idleShare = 0.03
/** A machine whose processes use more of its memory may be a cache, which needs little CPU. */
const idleMemoryShare = 0.25

/**
 * Whether nearly nothing ran on the machine: in nineteen of twenty hours its processes used less than 3% of its cores,
 * and on average less than a quarter of its memory.
 */
function isIdle(machine: SizedMachine, { cores = 1, gib = Number.POSITIVE_INFINITY }: MachinePrice): boolean {
  const usedGib = sumOf(machine.processes, ({ mean }) => mean).gib
  return (
    machine.measuredHours >= minMeasuredHours &&
    machine.busyCores < idleShare * cores &&
    usedGib < idleMemoryShare * gib
  )
}
