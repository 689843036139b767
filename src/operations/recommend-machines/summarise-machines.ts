import { round } from '../../domain/money.ts'
import type { Entity } from '../../usage/digest/entities.ts'
import { type Market, marketOf, type PricingDeps } from '../pricing/deps.ts'
import type { MachinesDeps } from './deps.ts'
import { isIdle } from './idle.ts'
import { type Amount, type SizedMachine, type SizedProcess, sumOf } from './machine.ts'
import { type MachineFacts, machineFactsOf } from './machine-facts.ts'
import { priceMachine } from './machine-price.ts'
import { type MachinesRequest, nextPage, type Page, parseMachinesRequest } from './query.ts'
import { type Rehost, rehost } from './rehost.ts'
import { type SelectedMachine, selectMachines } from './select-machines.ts'

export const defaultMachines = 100
export const maxMachines = 1000

/** The members down to expectedUtilisationRAM are part of the contract; the others are added on request. */
export interface VmSummary {
  readonly vm: string
  readonly creationTime: string
  readonly totalCurrentCPU: number
  readonly totalCurrentRAM: number
  readonly totalRecommendedCPU: number
  readonly totalRecommendedRAM: number
  readonly expectedUtilisationCPU: number
  readonly expectedUtilisationRAM: number
  readonly idle?: boolean
  readonly rehost?: Rehost
}

interface SummariesRequest extends MachinesRequest {
  readonly include_rehost?: boolean | undefined
}

/** One line a machine, by name: its processes added up. */
export async function summariseMachines(
  deps: MachinesDeps,
  organisation: string,
  request: SummariesRequest,
  signal?: AbortSignal,
): Promise<Page<VmSummary>> {
  const query = parseMachinesRequest(request, deps.now(), defaultMachines)
  const items: VmSummary[] = []
  const market = request.include_rehost ? await marketOf(deps.pricing, organisation) : undefined
  for await (const asked of selectMachines(deps.machines, organisation, query)) {
    signal?.throwIfAborted()
    if (items.length === query.limit) return { items, next: nextPage(query, { vm: items.at(-1)!.vm }) }
    // Read once there is a machine: what is known of it comes with its processes, never later.
    const described = (await deps.facts.of(organisation)).get(asked.machine.vm)
    items.push({
      ...viewSummary(asked, machineFactsOf(described)),
      ...(market && rehosting(deps.pricing, market, asked.machine, described)),
    })
    // The existence of the next machine is known without reading it.
    if (items.length === query.limit && asked.isLast === false)
      return { items, next: nextPage(query, { vm: asked.machine.vm }) }
  }
  return { items }
}

function viewSummary({ machine, processes }: SelectedMachine, capacity: Capacity): VmSummary {
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

/** 0.6 cores used on average of 0.8 recommended -> 75. 0 where nothing is recommended. */
const utilisation = (expected: number, recommended: number): number =>
  recommended > 0 ? round((100 * expected) / recommended, 3) : 0

type Capacity = Pick<MachineFacts, 'cores' | 'gib'>

/** Peaks of processes seldom fall together, and no machine is asked to be larger than it is, as far as that is known. */
const sumsOf = (processes: readonly SizedProcess[], capacity: Capacity) => ({
  current: sumOf(processes, ({ current }) => current),
  recommended: atMost(
    capacity,
    sumOf(processes, ({ recommended }) => recommended),
  ),
  expected: atMost(
    capacity,
    sumOf(processes, ({ expected }) => expected),
  ),
})

const atMost = (capacity: Capacity, { cores, gib }: Amount): Amount => ({
  cores: Math.min(cores, capacity.cores ?? cores),
  gib: Math.min(gib, capacity.gib ?? gib),
})

const rounded = ({ cores, gib }: Amount): Amount => ({ cores: round(cores, 6), gib: round(gib, 6) })

/** Considers the whole machine whichever processes are selected, because a machine is replaced as a whole. */
function rehosting(
  pricing: PricingDeps,
  market: Market,
  machine: SizedMachine,
  described: Entity | undefined,
): Pick<VmSummary, 'idle' | 'rehost'> {
  const price = priceMachine(pricing, market, described)
  const facts = machineFactsOf(described)
  const { recommended, expected } = sumsOf(machine.processes, facts)
  return {
    idle: isIdle(machine, price),
    rehost: rehost(pricing, market, { facts, price }, recommended, {
      meanCores: expected.cores,
      watchedHours: machine.watchedHours,
    }),
  }
}
