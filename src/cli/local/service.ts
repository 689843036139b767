import type { InjectOptions } from 'fastify'
import { measuredHeader } from '../../costs/report/measured.ts'
import { exchangeHeader } from '../../domain/currency.ts'
import { type KeyRecord, scopes } from '../../domain/key.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { SizingRuleInput } from '../../recommendations/containers/parse-constraints.ts'
import type { Routes, Server } from '../../server/server.ts'
import type { Store } from '../../store/port.ts'
import { type Call, CommandFailure } from '../command.ts'
import { organisationOf } from '../organisation.ts'
import { clientOf, type ServiceClient } from '../server.ts'
import { localRefresh, machinesOn, pricingOn, publishedCatalogue, recommendationOn, sizesOn } from './deps.ts'

/** The routes of the service in this process: no port, and only those that a command calls. Errors are thrown as they are. */
export function localService(call: Call, store: Store): ServiceClient {
  const failures = new WeakMap<object, unknown>()
  const servers = new Map<object, Promise<Server>>()
  const caller = callerOf(call)
  return clientOf(async (path, request) => {
    const load = routes.find(([prefix]) => path.startsWith(prefix))![1]
    const server = await servers.getOrInsertComputed(load, async () =>
      serverOf(await load(store, call), caller, failures),
    )
    const { body } = request
    const payload = body instanceof Uint8Array ? Buffer.from(body) : body
    const response = await server.inject({ ...request, url: path, payload } as InjectOptions)
    const failure = failures.get(response.raw.res)
    if (failure !== undefined) throw failure
    const { link = '', [measuredHeader]: measured = '', [exchangeHeader]: exchange = '' } = response.headers
    return new Response(response.rawPayload, {
      headers: {
        link: String(link),
        [measuredHeader]: String(measured),
        [exchangeHeader]: String(exchange),
      },
    })
  })
}

type LoadRoutes = (store: Store, call: Call) => Promise<Routes[]>

const keys: LoadRoutes = async (store) => {
  const { keyRoutes } = await import('../../server/routes/service/keys.ts')
  return [keyRoutes({ store, now: Date.now, onChange: () => {} })]
}

const sizing: LoadRoutes = async (store, call) => {
  const { sharingRoutes, sizingRoutes, sizingRulesRoutes } = await import(
    '../../server/routes/usage/sizing.ts'
  )
  return [sharingRoutes({ store }), sizingRoutes({ store }), sizingRulesRoutes({ store, compare })]

  /** Needs the catalogue, which takes a moment to load. */
  async function compare(organisation: string, rules: readonly SizingRuleInput[]) {
    const { compareRules } = await import('../../recommendations/containers/compare-rules.ts')
    return compareRules(await sizesOn(store, call), organisation, rules, new AbortController().signal)
  }
}

const recommendations: LoadRoutes = async (store, call) => {
  const { recommendationListRoutes } = await import('../../server/routes/usage/recommendations.ts')
  return [recommendationListRoutes(await recommendationOn(store, call), await localReads())]
}

/** By the beginning of the path. */
const routes: readonly (readonly [prefix: string, load: LoadRoutes])[] = [
  ['/key', keys],
  ['/admin/keys', keys],
  ['/admin/organisations', sizing],
  ['/v1/sizing_', sizing],
  ['/v1/cost_sharing', sizing],
  [
    '/marketplace',
    async (store, call) => {
      const { marketplaceRoutes } = await import('../../server/routes/pricing/marketplace.ts')
      const { OwnPriceCache } = await import('../../pricing/own-prices/own-prices.ts')
      const { enabledProviders } = await import('../../pricing/market.ts')
      const { findProvider } = enabledProviders(call.settings.providers)
      return [marketplaceRoutes({ store, findProvider, ownPrices: new OwnPriceCache({ store }) })]
    },
  ],
  [
    '/v1/price_rules',
    async (store, call) => {
      const { priceRuleRoutes } = await import('../../server/routes/pricing/price-rules.ts')
      const deps = { ...(await pricingOn(store, call)), store, now: Date.now }
      return [priceRuleRoutes(deps, await localReads())]
    },
  ],
  [
    '/v1/commitments',
    async (store, call) => {
      const { commitmentRoutes } = await import('../../server/routes/pricing/commitments.ts')
      const { commitmentDeps } = await import('../../server/wiring/recommendations-part.ts')
      const deps = commitmentDeps(store, await recommendationOn(store, call))
      return [commitmentRoutes(deps, await localReads())]
    },
  ],
  ['/v1/recommendations', recommendations],
  ['/v1/commitment_recommendations', recommendations],
  [
    '/v1/namespace_recommendations',
    async (store, call) => {
      const { namespaceRoutes } = await import('../../server/routes/usage/namespaces.ts')
      return [namespaceRoutes(await sizesOn(store, call), await localReads())]
    },
  ],
  [
    '/v1/cost_recounts',
    async (store, call) => {
      const { costRecountRoutes } = await import('../../server/routes/usage/cost-recounts.ts')
      return [costRecountRoutes({ store, pricing: await pricingOn(store, call), now: Date.now })]
    },
  ],
  [
    '/v1/cost',
    async (store, call) => {
      const { costRoutes } = await import('../../server/routes/usage/costs.ts')
      const { sharingOf } = await import('../../costs/report/organisation-sharing.ts')
      const { costParts, sizesDeps } = await import('../../server/wiring/sizes-part.ts')
      const pricing = await pricingOn(store, call)
      const deps = {
        parts: costParts({ store, pricing, now: Date.now }),
        ...sizesDeps(store, pricing, Date.now),
        pricing,
        labels: call.settings.costLabels,
        sharingOf: (organisation: string) => sharingOf({ store }, organisation),
      }
      return [costRoutes(deps, await localReads())]
    },
  ],
  [
    '/v1/sources',
    async (store) => {
      const { sourceRoutes } = await import('../../server/routes/usage/sources.ts')
      return [sourceRoutes({ store, now: Date.now }, await localReads())]
    },
  ],
  [
    '/v1/collected_usage',
    async (store, { settings, err }) => {
      const { ReceivedCollections } = await import('../../ingest/received-collections.ts')
      const { collectedUsageRoutes } = await import('../../server/routes/usage/collected-usage.ts')
      const { parseRetention } = await import('../../server/wiring/ingest-part.ts')
      const deps = {
        store,
        // The next run need not wait for the lease of one that was killed. Commits are fenced in any case.
        holder: 'the command line',
        keptLabels: settings.costLabels,
        retention: parseRetention(settings),
        now: Date.now,
        log: (_level: string, message: string) => err(`cheapside collect: ${message}`),
      }
      const collections = new ReceivedCollections(deps, settings.usageSeries)
      return [collectedUsageRoutes({ receiveCollected: (request) => collections.receive(request) })]
    },
  ],
  [
    '/v1/vm_',
    async (store, call) => {
      const { machineRoutes } = await import('../../server/routes/usage/machines.ts')
      return [machineRoutes(await machinesOn(store, call), await localReads())]
    },
  ],
  ['/admin/prices/refresh', localRefresh],
  ['/catalogue', publishedCatalogue],
]

/** One command asks, and usage that no service has digested yet cannot be waited for. */
async function localReads() {
  const { HeavyReads } = await import('../../server/heavy-reads.ts')
  const loading = { loaded: async () => {} }
  return new HeavyReads({ slots: 2, waitSeconds: 3600, loading, onFailure: () => {} })
}

/** The user of this machine, who may do everything. */
const callerOf = (call: Call): KeyRecord => ({
  id: '',
  organisation: organisationOf(call),
  name: 'command line',
  scopes,
  secretHash: '',
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  replacedBy: null,
})

async function serverOf(routes: readonly Routes[], caller: KeyRecord, failures: WeakMap<object, unknown>) {
  const { default: Fastify } = await import('fastify')
  const { readBodies } = await import('../../server/requests/body.ts')
  const server: Server = Fastify({ logger: false, routerOptions: { maxParamLength: 16_384 } })
  server.setValidatorCompiler(({ schema, httpPart }) => (value: Record<string, string>) => ({
    value: httpPart === 'querystring' ? typedQuery(value, (schema as QuerySchema).properties) : value,
  }))
  server.setSerializerCompiler(() => JSON.stringify)
  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const isRefused = error.name === 'FastifyError' && error.statusCode !== 500
    failures.set(reply.raw, isRefused ? new CommandFailure(error.message) : problemOf(error))
    return reply.code(500).send()
  })
  readBodies(server)
  server.decorateRequest('caller', { getter: () => caller })
  server.decorateRequest('limitBytes', Number.POSITIVE_INFINITY)
  for (const register of routes) register(server)
  return server
}

/** A body that its schema refuses, for the routes that check it here as well. */
const problemOf = (error: Error & { errors?: readonly FieldError[] }): Error =>
  error.name === 'ValidationFailure'
    ? new Problem('invalid', error.message, { errors: error.errors ?? [] })
    : error

/** Query parameters are text. Operations check their values. */
function typedQuery(query: Record<string, string>, properties: QuerySchema['properties'] = {}) {
  const typed = ([name, text]: [string, string]): [string, unknown] => {
    const type = properties[name]?.type
    if (type === 'number' || type === 'integer') return [name, Number(text)]
    return [name, type === 'boolean' ? text === 'true' : text]
  }
  return Object.fromEntries(Object.entries(query).map(typed))
}

type QuerySchema = { readonly properties?: Readonly<Record<string, { readonly type?: string }>> }
