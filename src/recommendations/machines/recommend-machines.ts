import { marketOf } from '../../pricing/market.ts'
import { priceMachine } from '../../pricing/reported-machine.ts'
import type { MachinesDeps } from './deps.ts'
import { costDriverOf, scaleToMachine } from './process-costs.ts'
import {
  defaultProcesses,
  type MachineCursor,
  type MachinesRequest,
  nextPage,
  type Page,
  parseMachinesRequest,
  windowHoursOf,
} from './query.ts'
import type { VmRecommendation } from './schema.ts'
import { isUnused, selectMachines } from './select-machines.ts'
import { viewProcess } from './view-process.ts'

/** Returns what each process of each machine uses, needs and costs, ordered by machine, then as selectMachines() orders them. */
export async function recommendMachines(
  deps: MachinesDeps,
  organisation: string,
  request: MachinesRequest,
  signal?: AbortSignal,
): Promise<Page<VmRecommendation>> {
  const query = parseMachinesRequest(request, deps.now(), defaultProcesses)
  const market = await marketOf(deps.pricing, organisation)
  const items: VmRecommendation[] = []
  let last: MachineCursor = { vm: '', key: '' }
  for await (const { machine, processes, isLast } of selectMachines(deps, organisation, query, {
    withMedians: true,
  })) {
    signal?.throwIfAborted()
    // The facts are read after the machine, because a machine's facts arrive with its processes, never later.
    const described = (await deps.facts.factsOf(organisation)).get(machine.vm)
    const price = priceMachine(deps.pricing, market, described)
    const shown = {
      machine,
      price,
      costDriver: costDriverOf(price, machine),
      within: scaleToMachine(price, machine),
      windowHours: windowHoursOf(query),
    }
    for (const process of processes) {
      if (items.length === query.limit) return { items, next: nextPage(query, last) }
      items.push(viewProcess(process, shown))
      last = { vm: machine.vm, key: process.key, isUnused: isUnused(process) }
    }
    // Whether another machine follows is known without reading it.
    if (items.length === query.limit && isLast === false) return { items, next: nextPage(query, last) }
  }
  return { items }
}
