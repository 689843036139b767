import { existsSync } from 'node:fs'
import type { Call, Command } from './cli/command.ts'
import { catalogueCommands } from './cli/commands/pricing/catalogue.ts'
import { inventoryCommand } from './cli/commands/pricing/inventory.ts'
import { marketplaceCommands } from './cli/commands/pricing/marketplace.ts'
import { recommendCommand } from './cli/commands/pricing/recommend.ts'
import { refreshCommand } from './cli/commands/pricing/refresh.ts'
import { reviewCommand } from './cli/commands/pricing/review.ts'
import { typeCommands } from './cli/commands/pricing/types.ts'
import { healthCommand } from './cli/commands/service/health.ts'
import { keyCommands } from './cli/commands/service/keys.ts'
import { mcpCommand, serveCommand } from './cli/commands/service/serve.ts'
import { agentCommand } from './cli/commands/usage/agent.ts'
import { collectCommand } from './cli/commands/usage/collect.ts'
import { costsCommand } from './cli/commands/usage/costs.ts'
import { namespacesCommand } from './cli/commands/usage/namespaces.ts'
import { recommendationCommands } from './cli/commands/usage/recommendations.ts'
import { sizingCommands } from './cli/commands/usage/sizing.ts'
import { sizingRulesCommand } from './cli/commands/usage/sizing-rules.ts'
import { vmsCommand } from './cli/commands/usage/vms.ts'
import { helpCommand } from './cli/help.ts'
import { serverOf } from './cli/server.ts'
import { noticeOfData } from './data-directory.ts'
import { Problem } from './domain/problem.ts'
import type { PricingDeps } from './market/market.ts'
import type { ToolDeps } from './mcp/tool.ts'
import type { SizesDeps } from './namespace-sizes/size-namespaces.ts'
import type { KeyDeps } from './operations/keys/issue-key.ts'
import type { ListAdviceDeps } from './operations/list-recommendations/list-recommendations.ts'
import type { MarketplaceDeps } from './operations/marketplace/register-marketplace.ts'
import type { MachinesDeps } from './operations/recommend-machines/deps.ts'
import type { Store } from './store/port.ts'
import { version } from './version.ts'

/**
 * All commands, one line each. Modules that only one command needs are loaded when it runs, so that all commands start
 * fast.
 */
export const commands: readonly Command[] = [
  serveCommand(async (settings, environment) =>
    (await import('./wiring.ts')).startService(settings, environment),
  ),
  healthCommand,
  recommendCommand,
  ...typeCommands,
  reviewCommand,
  inventoryCommand,
  ...marketplaceCommands(withMarketplace),
  ...catalogueCommands,
  refreshCommand(withStore),
  collectCommand((call, settings, signal, onProgress) =>
    withStore(call, async (store) => {
      const { collectUsage, collectorTimeoutMs } = await import('./ingest/collect-usage.ts')
      const holder = `command ${crypto.randomUUID()}`
      const { parseRetention } = await import('./wiring/retention.ts')
      const retention = parseRetention(call.settings)
      const deps = {
        store,
        holder,
        keptLabels: call.settings.costLabels,
        retention,
        now: Date.now,
        log: () => {},
      }
      return collectUsage(deps, settings, signal, onProgress, collectorTimeoutMs)
    }),
  ),
  agentCommand(version),
  namespacesCommand(withSizes),
  costsCommand((call, use) => withSizes(call, (deps) => use({ ...deps, labels: call.settings.costLabels }))),
  ...sizingCommands((call, use) => withStore(call, (store) => use({ store }))),
  sizingRulesCommand((call, use) => withStore(call, (store) => use({ store }))),
  vmsCommand(withMachines),
  ...recommendationCommands(withAdvice),
  mcpCommand(async (call) => {
    const { offlinePricing } = await import('./cli/commands/pricing/offline-pricing.ts')
    const { serveMcpOnStdio } = await import('./mcp/mcp-server.ts')
    const deps = { pricing: await offlinePricing(call.settings), now: Date.now, ...usageHere(call) }
    const server = serverOf(call)
    const accept = 'application/json, text/event-stream'
    await serveMcpOnStdio(deps, server && ((body) => server.text('/mcp', { body, accept })))
  }),
  ...keyCommands(withKeys),
  helpCommand(() => commands),
]

/** Opens the store for one short command. A running service on the same database sees its changes. */
async function withStore<Result>(
  { settings, environment, err }: Call,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, data } = settings
  const notice = databaseUrl === '' ? noticeOfData(data, environment) : undefined
  if (notice !== undefined) err(`cheapside: ${notice}`)
  const { openStore } = await import('./store/open.ts')
  const store = await openStore({ dataDirectory: data, databaseUrl })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

function withKeys<Result>(call: Call, use: (deps: KeyDeps) => Promise<Result>): Promise<Result> {
  return withStore(call, (store) => use({ store, now: Date.now, onChange: () => {} }))
}

function withMarketplace<Result>(
  call: Call,
  use: (deps: MarketplaceDeps) => Promise<Result>,
): Promise<Result> {
  return withStore(call, async (store) => {
    const { OwnPriceCache } = await import('./market/own-prices.ts')
    const { enabledProviders } = await import('./market/market.ts')
    const { findProvider } = enabledProviders(call.settings.providers)
    return use({ store, findProvider, ownPrices: new OwnPriceCache({ store }) })
  })
}

function withSizes<Result>(call: Call, use: (deps: SizesDeps) => Promise<Result>): Promise<Result> {
  return withStore(call, async (store) => {
    const { sizesDeps } = await import('./wiring/sizes-part.ts')
    return use(sizesDeps(store, await pricingOn(store, call), Date.now))
  })
}

/** Reads usage from the database of this machine. It does not create a database if there is none. */
function usageHere(call: Call): Pick<ToolDeps, 'usage' | 'advice'> {
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
      return withSizes(call, (deps) => use({ ...deps, labels: costLabels }))
    },
    advice: async (use) => {
      needDatabase()
      return withAdvice(call, use)
    },
  }
}

function withMachines<Result>(call: Call, use: (deps: MachinesDeps) => Promise<Result>): Promise<Result> {
  return withStore(call, async (store) => {
    const { machinesDeps } = await import('./wiring/machines-part.ts')
    return use(machinesDeps(store, Date.now, await pricingOn(store, call)))
  })
}

function withAdvice<Result>(call: Call, use: (deps: ListAdviceDeps) => Promise<Result>): Promise<Result> {
  return withStore(call, async (store) => {
    const { adviceDeps } = await import('./wiring/advice-part.ts')
    const { machinesDeps } = await import('./wiring/machines-part.ts')
    const { sizesDeps } = await import('./wiring/sizes-part.ts')
    const [now, pricing] = [Date.now, await pricingOn(store, call)]
    const sizes = sizesDeps(store, pricing, now)
    return use(adviceDeps({ store, now, sizes, machines: machinesDeps(store, now, pricing) }))
  })
}

async function pricingOn(store: Store, { settings }: Call): Promise<PricingDeps> {
  const { offlinePricing } = await import('./cli/commands/pricing/offline-pricing.ts')
  const { OwnPriceCache } = await import('./market/own-prices.ts')
  const own = new OwnPriceCache({ store })
  return { ...(await offlinePricing(settings)), own: (organisation) => own.of(organisation) }
}
