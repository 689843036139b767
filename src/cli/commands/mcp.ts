import type { Call, Command } from '../command.ts'
import { exitCode } from '../command.ts'

/** Speaks on standard input and output until the other side closes it. */
type ServeMcp = (call: Call) => Promise<void>

export function mcpCommand(serve: ServeMcp): Command {
  return {
    name: 'mcp',
    summary: 'Serve tools for assistants by the Model Context Protocol on standard input and output, offline',
    settings: ['catalogue', 'providers'],
    notes: 'Tools: compare_machine, price_instance, find_instance_types, review_plan. All of them only read.',
    run: async (call) => {
      await serve(call)
      return exitCode.done
    },
  }
}
