import type { VmRecommendation, VmSummary } from '../../../recommendations/machines/schema.ts'
import {
  type Call,
  type Command,
  type CommandOption,
  exitCode,
  flagOption,
  textOption,
} from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import type { ServiceClient } from '../../server.ts'
import { withService } from '../../with-service.ts'
import { periodOptions, periodPointers } from './constraint-options.ts'

const summariesPath = '/v1/vm_summaries'

const options: Readonly<Record<string, CommandOption>> = {
  organisation: organisationOption,
  vm: textOption('NAME', 'Only this machine'),
  group: textOption('GROUP', 'Only this group of processes: kubernetes, docker, system, user, unknown'),
  ...periodOptions(14),
  all: flagOption('Show every process, not only the most expensive'),
}

export const vmsCommand: Command = {
  name: 'vms',
  summary: 'Show usage, cost and recommended sizes of machines and processes, and cheaper machines',
  settings: ['server', 'data', 'catalogue', 'providers', 'currency'],
  options,
  optionsByPointer: { ...periodPointers, '?process_group': '--group' },
  run: (call) =>
    withService(call, async (service) => {
      const query = requestOf(call)
      const summaries = await service.pages<VmSummary>(summariesPath, { ...query, include_rehost: true })
      const recommendations = await service.pages<VmRecommendation>('/v1/vm_recommendations', query)
      if (call.json) call.out(JSON.stringify({ summaries, recommendations }))
      else if (summaries.length === 0) call.out(await nothingFound(call, service))
      else {
        const { renderVms } = await import('../../render/vms.ts')
        call.out(renderVms(summaries, recommendations, call.flag('all')))
      }
      return exitCode.done
    }),
}

async function nothingFound(call: Call, service: ServiceClient): Promise<string> {
  const { noMachines, nothingNamed } = await import('../../render/figures.ts')
  const { vm, process_group: group, ...period } = requestOf(call)
  const known = await service.ask<VmSummary[]>(summariesPath, { query: { ...period, limit: 100 } })
  if (known.length === 0) return noMachines
  const names = known.map((summary) => summary.vm)
  if (vm !== undefined && (group === undefined || !names.includes(vm)))
    return nothingNamed('machine', vm, names)
  return `No process of the group ${group} reported usage in this period${vm === undefined ? '' : ` on ${vm}`}.`
}

const requestOf = (call: Call) => ({
  vm: call.text('vm'),
  process_group: call.text('group'),
  start_date: call.time('start', 'start'),
  end_date: call.time('end', 'end'),
})
