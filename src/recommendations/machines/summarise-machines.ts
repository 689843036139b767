import { readCoveredHour } from '../../pricing/commitments/covered-hour.ts'
import { marketOf } from '../../pricing/market.ts'
import { reportedMachine } from '../../pricing/reported-machine.ts'
import { Yielder } from '../../runtime/yielder.ts'
import type { MachinesDeps } from './deps.ts'
import { defaultMachines, type MachinesRequest, nextPage, type Page, parseMachinesRequest } from './query.ts'
import type { VmSummary } from './schema.ts'
import { selectMachines } from './select-machines.ts'
import { viewRehost, viewSummary } from './view-summary.ts'

type SummariesRequest = MachinesRequest & { readonly include_rehost?: boolean | undefined }

/** Returns one summary per machine, ordered by name, that adds up its processes. */
export async function summariseMachines(
  deps: MachinesDeps,
  organisation: string,
  request: SummariesRequest,
  signal?: AbortSignal,
): Promise<Page<VmSummary>> {
  const query = parseMachinesRequest(request, deps.now(), defaultMachines)
  const items: VmSummary[] = []
  const market = request.include_rehost ? await marketOf(deps.pricing, organisation) : undefined
  const hour = request.include_rehost ? await readCoveredHour(deps, organisation) : undefined
  const yielder = new Yielder(signal)
  for await (const asked of selectMachines(deps, organisation, query, { withMedians: false })) {
    signal?.throwIfAborted()
    if (yielder.isDue) await yielder.pause()
    if (items.length === query.limit) return { items, next: nextPage(query, { vm: items.at(-1)!.vm }) }
    // The facts are read after the machine, because a machine's facts arrive with its processes, never later.
    const described = (await deps.facts.factsOf(organisation)).get(asked.machine.vm)
    items.push({
      ...viewSummary(asked, reportedMachine(described)),
      ...(market && viewRehost(deps, market, asked.machine, described, hour)),
    })
    // Whether another machine follows is known without reading it.
    if (items.length === query.limit && asked.isLast === false)
      return { items, next: nextPage(query, { vm: asked.machine.vm }) }
  }
  return { items }
}
