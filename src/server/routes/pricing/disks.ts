import Type from 'typebox'
import { orProblem } from '../../../domain/not-found.ts'
import { string } from '../../../domain/schema.ts'
import { listDiskTypes } from '../../../pricing/disks/list-disk-types.ts'
import { type OwnDiskDeps, ownDisks, registerDisks, removeDisk } from '../../../pricing/disks/own-disks.ts'
import { priceDiskOf, recommendDisks } from '../../../pricing/disks/recommend-disks.ts'
import {
  DiskBody,
  DiskList,
  DiskRecommendationBody,
  DiskRecommendationView,
  DiskRegistration,
  DiskRegistrationBody,
  DiskRemoval,
  DiskRow,
  DiskTypesQuery,
  DiskTypeView,
} from '../../../pricing/disks/schema.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { resultJson } from '../../../pricing/recommend-offers.ts'
import { jsonContentType } from '../../requests/negotiation.ts'
import { largeBodyBytes, type Routes } from '../../server.ts'
import { priceRouteConfig } from './pricing.ts'

const tags = ['Disks']
const read = { scope: 'pricing:read' } as const
const write = { scope: 'marketplace:write' } as const
const path = '/marketplace/providers/disks'

export function diskRoutes(given: PricingDeps & OwnDiskDeps): Routes {
  const deps = { ...given, ownDisks: (organisation: string) => ownDisks(given, organisation) }
  return (server) => {
    server.get('/v1/disk_types', {
      config: { ...read, hasAmounts: true, problems: ['unknown-provider'] },
      schema: {
        tags,
        summary: 'List disk types',
        description:
          'Types of disks, and their tiers, with the price in a region or, without one, in the cheapest region.',
        querystring: DiskTypesQuery,
        response: { 200: Type.Array(DiskTypeView) },
      },
      handler: async (request, reply) => reply.send(orProblem(listDiskTypes(deps, request.query))),
    })
    for (const address of ['/pricing/disks', '/v1/pricing/disks'])
      server.post(address, {
        config: priceRouteConfig,
        schema: { tags, summary: 'Price a disk', body: DiskBody, response: { 200: DiskRow } },
        handler: async (request, reply) =>
          reply.send(orProblem(await priceDiskOf(deps, request.caller.organisation, request.body))),
      })
    server.post('/recommendations/disks', {
      config: priceRouteConfig,
      schema: {
        tags,
        summary: 'Find cheaper disks for this disk',
        description:
          'Disks of other types or tiers that hold what this one holds and do what it is used for, with a fifth in reserve. They are never smaller: no provider shrinks a disk.',
        body: DiskRecommendationBody,
        response: { 200: DiskRecommendationView },
      },
      handler: async (request, reply) => {
        const result = orProblem(await recommendDisks(deps, request.caller.organisation, request.body))
        reply.header('content-type', jsonContentType)
        return reply.send(resultJson(result)) as unknown as undefined
      },
    })
    server.post(path, {
      config: write,
      bodyLimit: largeBodyBytes,
      schema: {
        tags,
        summary: 'Register your own prices of disks',
        description:
          'Atomic: either all entries are registered or none. The id of an entry stays when the same service, region, zone, type and usage type are registered again.',
        body: DiskRegistrationBody,
        response: { 200: DiskRegistration },
      },
      handler: async (request, reply) => {
        const entries = await registerDisks(deps, request.caller.organisation, request.body.entries)
        return reply.send({ status: 'Registered', entries: [...entries] })
      },
    })
    server.get(path, {
      config: read,
      schema: { tags, summary: 'List your own prices of disks', response: { 200: DiskList } },
      handler: async (request, reply) =>
        reply.send({ providers: [...(await deps.ownDisks(request.caller.organisation))] }),
    })
    server.delete(path, {
      config: { ...write, problems: ['not-found'] },
      schema: {
        tags,
        summary: 'Remove one of your own prices of disks',
        querystring: Type.Object({ id: string('UUID of the entry', { maxLength: 64 }) }),
        response: { 200: DiskRemoval },
      },
      handler: async (request, reply) =>
        reply.send({
          status: 'Deleted',
          entries: [await removeDisk(deps, request.caller.organisation, request.query.id)],
        }),
    })
  }
}
