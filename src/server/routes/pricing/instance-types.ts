import Type from 'typebox'
import { orProblem } from '../../../domain/not-found.ts'
import { optional, string } from '../../../domain/schema.ts'
import { listTypes } from '../../../pricing/instance-types/list-types.ts'
import {
  InstanceTypeDetails,
  InstanceTypesQuery,
  InstanceTypeView,
} from '../../../pricing/instance-types/schema.ts'
import { showType } from '../../../pricing/instance-types/show-type.ts'
import { listRegions } from '../../../pricing/list-regions.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { RegionsQuery, RegionView } from '../../../pricing/schema.ts'
import { linkTo } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

export function instanceTypeRoutes(deps: PricingDeps & { now(): number }): Routes {
  const config = { scope: 'pricing:read' } as const
  const tags = ['Catalogue']
  return (server) => {
    server.get('/v1/instance_types', {
      config: { ...config, hasAmounts: true },
      schema: {
        tags,
        summary: 'List instance types',
        description:
          'Types of all providers and of your own marketplace, with size, speed, age, disk, network and the lowest on-demand price, ' +
          'in the requested order, then by name. The header Cheapside-Total is the number of types that pass the filters; the next page is in the Link header, rel="next".',
        querystring: InstanceTypesQuery,
        response: { 200: Type.Array(InstanceTypeView) },
      },
      handler: async (request, reply) => {
        const { types, total, next } = await listTypes(deps, request.caller.organisation, request.query)
        reply.header('cheapside-total', total)
        if (next !== undefined) reply.header('link', linkTo(request.url, { cursor: next }))
        return reply.send(types)
      },
    })
    server.get('/v1/regions', {
      config,
      schema: {
        tags,
        summary: 'List regions, optionally by distance from a place',
        description: 'Sorted by distance if a place is given, otherwise by provider and name.',
        querystring: RegionsQuery,
        response: { 200: Type.Array(RegionView) },
      },
      handler: async (request, reply) => reply.send(listRegions(deps, request.query)),
    })
    server.get('/v1/instance_types/:provider/:type', {
      config: { ...config, hasAmounts: true, problems: ['unknown-provider', 'unknown-instance-type'] },
      schema: {
        tags,
        summary: 'Show an instance type',
        description:
          'Returns its prices by region and usage type, and cheaper machines of at least the same size.',
        params: Type.Object({
          provider: string('By any of its names', { maxLength: 256 }),
          type: string('In any letter case', { maxLength: 256 }),
        }),
        querystring: Type.Object({
          region: optional(
            string(
              'Region in which cheaper machines are compared; default: where its on-demand price is lowest',
              { maxLength: 256 },
            ),
          ),
        }),
        response: { 200: InstanceTypeDetails },
      },
      handler: async (request, reply) => {
        const { provider, type: instanceType } = request.params
        const { region } = request.query
        const today = new Date(deps.now()).toISOString().slice(0, 10)
        const asked = { provider, instanceType, ...(region === undefined ? {} : { region }) }
        return reply.send(orProblem(await showType(deps, request.caller.organisation, asked, today)))
      },
    })
  }
}
