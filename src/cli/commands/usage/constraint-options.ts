import type { ConstraintsInput } from '../../../operations/recommend-sizes/organisation-rules.ts'
import type { Call, CommandOption } from '../../command.ts'

/** Constraints on sizes, of one call or of a sizing rule. */
export const constraintOptions: Readonly<Record<string, CommandOption>> = {
  limits: {
    type: 'string',
    value: 'RULE',
    text: 'CPU limits: none; ratio, in the proportion that is set now (default); or quantile, at p99.9 of usage',
  },
  'min-cpu': { type: 'string', value: 'CORES', text: 'Least CPU request' },
  'max-cpu': { type: 'string', value: 'CORES', text: 'Greatest CPU request' },
  'min-memory': { type: 'string', value: 'GIB', text: 'Least memory request' },
  'max-memory': { type: 'string', value: 'GIB', text: 'Greatest memory request' },
  'cpu-memory-ratio': {
    type: 'string',
    value: 'GIB',
    text: 'GiB of memory for each core, such as 4, or from 1-6.5',
  },
}

export const constraintsOf = (call: Call): ConstraintsInput => ({
  limits: call.text('limits'),
  min_cpu: call.number('min-cpu'),
  max_cpu: call.number('max-cpu'),
  min_memory: call.number('min-memory'),
  max_memory: call.number('max-memory'),
  cpu_memory_ratio: call.text('cpu-memory-ratio'),
})

export const profileOption: CommandOption = {
  type: 'string',
  value: 'NAME',
  text: 'Sizing profile: balanced, cost, safe; or a public policy, see below',
}

/** Every name that the option accepts in addition to those in its text. */
export async function publicPolicies(): Promise<string> {
  const { publicPolicyNames } = await import('../../../operations/recommend-sizes/advisors.ts')
  return `Public policies, for comparison: ${publicPolicyNames.join(', ')}.`
}
