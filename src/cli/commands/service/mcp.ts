import { existsSync } from 'node:fs'
import { Problem } from '../../../domain/problem.ts'
import type { ToolDeps } from '../../../server/mcp/tool.ts'
import { type Call, type Command, exitCode } from '../../command.ts'
import { recommendationOn, sizesOn, withStore } from '../../local/deps.ts'
import { serverOf } from '../../server.ts'
import { offlinePricing } from '../pricing/offline-pricing.ts'

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve tools for assistants over the Model Context Protocol on standard input and output',
  isOffline: true,
  settings: ['server', 'data', 'catalogue', 'providers'],
  notes:
    'Tools for prices: compare_machine, price_instance, find_instance_types, review_plan. Tools for usage history: namespace_sizes, costs,\n' +
    'cluster_nodes, plan_cluster, list_recommendations, explain_recommendation, list_volumes.\n' +
    'All of them are read-only. Without --server, prices are those of the shipped catalogue and usage is that of the database of this machine, if it has one.',
  run: async (call) => {
    const { serveMcpOnStdio } = await import('../../../server/mcp/mcp-server.ts')
    const deps = { pricing: await offlinePricing(call.settings), now: Date.now, ...usageHere(call) }
    const server = serverOf(call)
    const accept = 'application/json, text/event-stream'
    await serveMcpOnStdio(deps, server && ((body) => server.text('/mcp', { body, accept })))
    return exitCode.done
  },
}

/** Reads usage from the database of this machine. It does not create a database if there is none. */
function usageHere(call: Call): Pick<ToolDeps, 'usage' | 'recommendations'> {
  const { databaseUrl, data, costLabels } = call.settings
  const needDatabase = () => {
    if (databaseUrl === '' && !existsSync(data))
      throw new Problem(
        'not-found',
        'This machine has no usage history. Use --server to call a service that has one.',
      )
  }
  return {
    usage: async (use) => {
      needDatabase()
      return withStore(call, async (store) => use({ ...(await sizesOn(store, call)), labels: costLabels }))
    },
    recommendations: async (use) => {
      needDatabase()
      return withStore(call, async (store) => use(await recommendationOn(store, call)))
    },
  }
}
