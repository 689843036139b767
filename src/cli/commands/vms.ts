import { firstOrganisation } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import type { MachinesDeps } from '../../operations/recommend-machines/deps.ts'
import type { Page } from '../../operations/recommend-machines/query.ts'
import { type Call, type Command, exitCode, type Option, textOf, UsageError } from '../command.ts'

type WithMachines = <Result>(call: Call, use: (deps: MachinesDeps) => Promise<Result>) => Promise<Result>

const text = (value: string, about: string): Option => ({ type: 'string', value, text: about })

const options: Readonly<Record<string, Option>> = {
  organisation: text('ORG', 'Whose machines; default: default'),
  vm: text('NAME', 'Only this machine'),
  group: text('GROUP', 'Only processes of this group: kubernetes, docker, system, user, unknown'),
  start: text('TIME', 'Start of the window, such as 2026-11-01T00:00:00Z; default: 14 days before its end'),
  end: text('TIME', 'End of the window; default: now'),
  all: { type: 'boolean', text: 'Show every process, not only the dearest' },
}

/** The same operations as the API, straight on the database. */
export function vmsCommand(withMachines: WithMachines): Command {
  return {
    name: 'vms',
    summary: 'What machines and their processes use, need and cost, and where they would cost less',
    settings: ['data', 'catalogue', 'providers'],
    options,
    run: async (call) => {
      const organisation = textOf(call, 'organisation') ?? firstOrganisation
      const request = {
        vm: textOf(call, 'vm'),
        process_group: textOf(call, 'group'),
        start_date: textOf(call, 'start'),
        end_date: textOf(call, 'end'),
      }
      const { recommendMachines } = await import('../../operations/recommend-machines/recommend-machines.ts')
      const { summariseMachines } = await import('../../operations/recommend-machines/summarise-machines.ts')
      return withMachines(call, async (deps) => {
        const summaries = await allPages((next) =>
          summariseMachines(deps, organisation, { ...request, ...next, include_rehost: true }),
        )
        const recommendations = await allPages((next) =>
          recommendMachines(deps, organisation, { ...request, ...next }),
        )
        if (call.json) call.out(JSON.stringify({ summaries, recommendations }))
        else {
          const { renderVms } = await import('../render/vms.ts')
          call.out(renderVms(summaries, recommendations, call.values.all === true))
        }
        return exitCode.done
      })
    },
  }
}

async function allPages<Item>(
  ask: (next: Page<Item>['next'] | object) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  try {
    let page = await ask({})
    items.push(...page.items)
    while (page.next !== undefined) {
      page = await ask(page.next)
      items.push(...page.items)
    }
  } catch (error) {
    if (error instanceof Problem && error.errors !== undefined) throw new UsageError(explained(error.errors))
    throw error
  }
  return items
}

/** By the names that the options have here. */
const explained = (errors: NonNullable<Problem['errors']>): string =>
  errors.map(({ pointer, message }) => `--${optionOf[pointer] ?? pointer.slice(1)} ${message}`).join('\n')

const optionOf: Readonly<Record<string, string>> = {
  '?process_group': 'group',
  '?start_date': 'start',
  '?end_date': 'end',
}
