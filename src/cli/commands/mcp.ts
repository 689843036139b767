import type { Call, Command } from '../command.ts'
import { exitCode } from '../command.ts'

/** Speaks on standard input and output until the other side closes it. */
type ServeMcp = (call: Call) => Promise<void>

export function mcpCommand(serve: ServeMcp): Command {
  return {
    name: 'mcp',
    summary: 'Serve tools for assistants by the Model Context Protocol on standard input and output',
    isOffline: true,
    settings: ['server', 'data', 'catalogue', 'providers'],
    notes:
      'Tools for prices: compare_machine, price_instance, find_instance_types, review_plan. Tools for usage history: namespace_sizes, costs,\n' +
      'list_recommendations, explain_recommendation.\n' +
      'All of them only read. Without --server, prices are those of the shipped catalogue and usage is that of the database of this machine, if it has one.',
    run: async (call) => {
      await serve(call)
      return exitCode.done
    },
  }
}
