import type { VmRecommendation } from '../../../machine-plans/view-process.ts'
import type { VmSummary } from '../../../machine-plans/view-summary.ts'
import type { MachinesDeps } from '../../../operations/recommend-machines/deps.ts'
import type { Page } from '../../../operations/recommend-machines/query.ts'
import type { Call, Command, CommandOption } from '../../command.ts'
import { exitCode, textOption } from '../../command.ts'
import { organisationOf, organisationOption, refuseOrganisation } from '../../organisation.ts'
import { type RemoteService, serverOf } from '../../server.ts'
import { periodOptions, periodPointers } from './period-options.ts'

type WithMachines = <Result>(call: Call, use: (deps: MachinesDeps) => Promise<Result>) => Promise<Result>

const options: Readonly<Record<string, CommandOption>> = {
  organisation: organisationOption,
  vm: textOption('NAME', 'Only this machine'),
  group: textOption('GROUP', 'Only this group of processes: kubernetes, docker, system, user, unknown'),
  ...periodOptions(14),
  all: { type: 'boolean', text: 'Show every process, not only the most expensive' },
}

/** Shows the same results as the API, from a service or directly from the database. */
export function vmsCommand(withMachines: WithMachines): Command {
  return {
    name: 'vms',
    summary: 'Show usage, cost and recommended sizes of machines and processes, and cheaper machines',
    settings: ['server', 'data', 'catalogue', 'providers'],
    options,
    optionsByPointer: { ...periodPointers, '?process_group': '--group' },
    run: async (call) => {
      const server = serverOf(call)
      const { summaries, recommendations } = await (server === undefined
        ? withMachines(call, (deps) => fromDatabase(deps, call))
        : fromServer(server, call))
      if (call.json) call.out(JSON.stringify({ summaries, recommendations }))
      else if (summaries.length === 0) call.out(await nothingFound(call, withMachines))
      else {
        const { renderVms } = await import('../../render/vms.ts')
        call.out(renderVms(summaries, recommendations, call.flag('all')))
      }
      return exitCode.done
    },
  }
}

interface Machines {
  readonly summaries: readonly VmSummary[]
  readonly recommendations: readonly VmRecommendation[]
}

/** Explains an empty result. If one machine was requested, it lists the machines that did report usage. */
async function nothingFound(call: Call, withMachines: WithMachines): Promise<string> {
  const { noMachines, nothingNamed } = await import('../../render/nothing-found.ts')
  const { vm, process_group: group, ...period } = requestOf(call)
  const server = serverOf(call)
  const query = { ...period, limit: 100 }
  const known: readonly VmSummary[] =
    server === undefined
      ? await withMachines(call, async (deps) => {
          const { summariseMachines } = await import(
            '../../../operations/recommend-machines/summarise-machines.ts'
          )
          const organisation = organisationOf(call)
          return (await summariseMachines(deps, organisation, query)).items
        })
      : await server.ask('/v1/vm_summaries', { query })
  if (known.length === 0) return noMachines
  const names = known.map((summary) => summary.vm)
  if (vm !== undefined && (group === undefined || !names.includes(vm)))
    return nothingNamed('machine', vm, names)
  return `No process of the group ${group} reported usage in this period${vm === undefined ? '' : ` on ${vm}`}.`
}

const requestOf = (call: Call) => ({
  vm: call.text('vm'),
  process_group: call.text('group'),
  start_date: call.text('start'),
  end_date: call.text('end'),
})

async function fromServer(server: RemoteService, call: Call): Promise<Machines> {
  refuseOrganisation(call)
  const query = requestOf(call)
  return {
    summaries: await server.pages('/v1/vm_summaries', { ...query, include_rehost: true }),
    recommendations: await server.pages('/v1/vm_recommendations', query),
  }
}

async function fromDatabase(deps: MachinesDeps, call: Call): Promise<Machines> {
  const { recommendMachines } = await import('../../../operations/recommend-machines/recommend-machines.ts')
  const { summariseMachines } = await import('../../../operations/recommend-machines/summarise-machines.ts')
  const organisation = organisationOf(call)
  const query = requestOf(call)
  return {
    summaries: await allPages((next) =>
      summariseMachines(deps, organisation, { ...query, ...next, include_rehost: true }),
    ),
    recommendations: await allPages((next) => recommendMachines(deps, organisation, { ...query, ...next })),
  }
}

async function allPages<Item>(
  ask: (next: Page<Item>['next'] | object) => Promise<Page<Item>>,
): Promise<Item[]> {
  let page = await ask({})
  const items = [...page.items]
  while (page.next !== undefined) {
    page = await ask(page.next)
    items.push(...page.items)
  }
  return items
}
