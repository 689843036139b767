import Type from 'typebox'
import { string } from '../../../domain/schema.ts'
import { changeCompute, removeCompute, showCompute } from '../../../pricing/compute/change-compute.ts'
import {
  ComputeDataView,
  ComputeDeletedView,
  ComputeEntry,
  ComputeEntryChanges,
  ComputeFiltersView,
  ComputeListQuery,
  ComputeListView,
  ComputePage,
  ComputePageQuery,
  ComputeRegistration,
  ComputeRegistrationBody,
  computeFilters,
} from '../../../pricing/compute/entry-schema.ts'
import { listCompute, pageCompute } from '../../../pricing/compute/list-compute.ts'
import { registerCompute, registerOneCompute } from '../../../pricing/compute/register-compute.ts'
import type { MarketplaceDeps } from '../../../pricing/own-prices/register-marketplace.ts'
import { CustomPricingEntrySchema } from '../../../pricing/own-prices/schema.ts'
import { largeBodyBytes, type Routes } from '../../server.ts'

const tags = ['Compute']
const read = { scope: 'pricing:read' } as const
const write = { scope: 'marketplace:write' } as const
const problems = ['not-found'] as const
const EntryId = Type.Object({ id: string('UUID of the entry', { maxLength: 64 }) })
const order = 'Sorted by provider, service, region, zone, type, operating system and usage type.'
const ids =
  'The id of an entry stays when the same service, region, zone, type, operating system and usage type are registered again.'
/** The operation checks entry by entry, reports every fault, and yields to other requests meanwhile. */
const unchecked = () => (value: unknown) => ({ value })

/** An organisation's own prices as single entries, each with an id, of a provider that is named after the organisation. */
export function computeMarketplaceRoutes(deps: MarketplaceDeps): Routes {
  return (server) => {
    listRoutes(deps)(server)
    entryRoutes(deps)(server)
  }
}

/** As the contract has them. */
function listRoutes(deps: MarketplaceDeps): Routes {
  return (server) => {
    server.post('/marketplace/providers/compute', {
      config: write,
      bodyLimit: largeBodyBytes,
      validatorCompiler: unchecked,
      schema: {
        tags,
        summary: 'Register your own prices of instances',
        description: `Atomic: either all entries are registered or none. ${ids}`,
        body: ComputeRegistrationBody,
        response: { 200: ComputeRegistration },
      },
      handler: async (request, reply) => {
        const { entries } = (request.body ?? {}) as { entries?: unknown }
        return reply.send(await registerCompute(deps, request.caller.organisation, entries))
      },
    })
    server.get('/marketplace/providers/compute', {
      config: read,
      schema: {
        tags,
        summary: 'List your own prices of instances',
        description: order,
        querystring: ComputeListQuery,
        response: { 200: ComputeListView },
      },
      handler: async (request, reply) =>
        reply.send(await listCompute(deps, request.caller.organisation, request.query)),
    })
    server.delete('/marketplace/providers/compute', {
      config: { ...write, problems },
      schema: {
        tags,
        summary: 'Remove one of your own prices',
        querystring: EntryId,
        response: { 200: ComputeDeletedView },
      },
      handler: async (request, reply) => {
        const removed = await removeCompute(deps, request.caller.organisation, request.query.id)
        return reply.send({ status: 'Deleted', entries: [removed] })
      },
    })
  }
}

function entryRoutes(deps: MarketplaceDeps): Routes {
  return (server) => {
    server.post('/v1/marketplace/compute', {
      config: { ...write, problems: ['conflict'] },
      bodyLimit: largeBodyBytes,
      validatorCompiler: unchecked,
      schema: {
        tags,
        summary: 'Register your own prices of instances, by list or one alone',
        description: `Atomic. Without \`entries\` the body is one entry, the answer has it alone in \`data\`, and the header Location has its address. ${ids}`,
        body: Type.Union([ComputeRegistrationBody, CustomPricingEntrySchema]),
        response: { 201: ComputeDataView },
      },
      handler: async (request, reply) => {
        const { organisation } = request.caller
        const { entries } = (request.body ?? {}) as { entries?: unknown }
        if (entries !== undefined) {
          const registered = await registerCompute(deps, organisation, entries)
          return reply.code(201).send({ data: registered.entries })
        }
        const data = await registerOneCompute(deps, organisation, request.body)
        return reply.code(201).header('location', `/v1/marketplace/compute/${data.id}`).send({ data })
      },
    })
    server.get('/v1/marketplace/compute', {
      config: read,
      schema: {
        tags,
        summary: 'List your own prices of instances, page by page',
        description: order,
        querystring: ComputePageQuery,
        response: { 200: ComputePage },
      },
      handler: async (request, reply) =>
        reply.send(await pageCompute(deps, request.caller.organisation, request.query)),
    })
    server.get('/v1/marketplace/compute/:id', {
      config: { ...read, problems },
      schema: {
        tags,
        summary: 'Show one of your own prices',
        params: EntryId,
        response: { 200: ComputeEntry },
      },
      handler: async (request, reply) =>
        reply.send(await showCompute(deps, request.caller.organisation, request.params.id)),
    })
    server.patch('/v1/marketplace/compute/:id', {
      config: { ...write, problems: ['not-found', 'conflict'] },
      schema: {
        tags,
        summary: 'Change members of one of your own prices',
        description: 'Members that are not given stay as they are. The provider cannot be changed.',
        params: EntryId,
        body: ComputeEntryChanges,
        response: { 200: ComputeEntry },
      },
      handler: async (request, reply) => {
        const { id } = request.params
        return reply.send(await changeCompute(deps, request.caller.organisation, id, request.body))
      },
    })
    server.delete('/v1/marketplace/compute/:id', {
      config: { ...write, problems },
      schema: {
        tags,
        summary: 'Remove one of your own prices',
        params: EntryId,
        response: { 204: Type.Null({ description: 'Removed' }) },
      },
      handler: async (request, reply) => {
        await removeCompute(deps, request.caller.organisation, request.params.id)
        return reply.code(204).send(null)
      },
    })
    server.get('/v1/marketplace/filters/compute', {
      config: read,
      schema: {
        tags,
        summary: 'List the filters of your own prices',
        response: { 200: ComputeFiltersView },
      },
      handler: async (_, reply) => reply.send({ kind: 'compute', filters: [...computeFilters] }),
    })
  }
}
