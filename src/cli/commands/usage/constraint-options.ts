import type { ConstraintsInput } from '../../../recommendations/containers/parse-constraints.ts'
import { type Call, type CommandOption, textOption } from '../../command.ts'

export const constraintOptions: Readonly<Record<string, CommandOption>> = {
  limits: textOption(
    'RULE',
    'CPU limits: none; ratio: in the current proportion to the request (default); or quantile: at p99.9 of usage',
  ),
  'min-cpu': textOption('CORES', 'Minimum CPU request'),
  'max-cpu': textOption('CORES', 'Maximum CPU request'),
  'min-memory': textOption('GIB', 'Minimum memory request'),
  'max-memory': textOption('GIB', 'Maximum memory request'),
  'cpu-memory-ratio': textOption('GIB', 'GiB of memory for each core, such as 4, or a range such as 1-6.5'),
}

export const constraintsOf = (call: Call): ConstraintsInput => ({
  limits: call.text('limits'),
  min_cpu: call.number('min-cpu'),
  max_cpu: call.number('max-cpu'),
  min_memory: call.number('min-memory'),
  max_memory: call.number('max-memory'),
  cpu_memory_ratio: call.text('cpu-memory-ratio'),
})

export const profileOption: CommandOption = textOption(
  'NAME',
  'Sizing profile: balanced, cost, safe; or a public policy, see below',
)

/** Help that lists the names which the option accepts in addition to those in its text. */
export async function publicPolicies(): Promise<string> {
  const { publicPolicyNames } = await import('../../../recommendations/containers/parse-preference.ts')
  return `Public policies, for comparison: ${publicPolicyNames.join(', ')}.`
}

export const periodOptions = (defaultDays: number): Readonly<Record<'start' | 'end', CommandOption>> => ({
  start: textOption(
    'TIME',
    `Start of the period, such as 2026-11-01 or 2026-11-01T12:00:00Z; default: ${defaultDays} days before its end`,
  ),
  end: textOption('TIME', 'End of the period; a date without a time includes that day; default: now'),
})

export const periodPointers = { '?start_date': '--start', '?end_date': '--end' } as const
