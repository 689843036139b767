import type { ConstraintsInput } from '../../operations/recommend-sizes/organisation-rules.ts'
import { type Call, type CommandOption, optionNumber, optionText } from '../command.ts'

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
  limits: optionText(call, 'limits'),
  min_cpu: optionNumber(call, 'min-cpu'),
  max_cpu: optionNumber(call, 'max-cpu'),
  min_memory: optionNumber(call, 'min-memory'),
  max_memory: optionNumber(call, 'max-memory'),
  cpu_memory_ratio: optionText(call, 'cpu-memory-ratio'),
})
