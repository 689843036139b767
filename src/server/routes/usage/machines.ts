import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { MachinesDeps } from '../../../recommendations/machines/deps.ts'
import type { Page } from '../../../recommendations/machines/query.ts'
import { recommendMachines } from '../../../recommendations/machines/recommend-machines.ts'
import {
  VmRecommendation,
  VmRecommendationsQuery,
  VmSummariesQuery,
  VmSummary,
} from '../../../recommendations/machines/schema.ts'
import { summariseMachines } from '../../../recommendations/machines/summarise-machines.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import {
  jsonMediaType,
  linkTo,
  listContentType,
  listFormat,
  ndjsonMediaType,
  writeList,
} from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const paging =
  'The next page is in the Link header, rel="next". With Accept: application/x-ndjson, one object per line.'
const window = 'Usage has hourly resolution: hours that begin inside the window count as a whole.'
const prices =
  "Prices are those of the machine's instance type if it is known and on a price list of the catalogue or your own, otherwise base rates."

export function machineRoutes(deps: MachinesDeps, reads: HeavyReads): Routes {
  const config = {
    scope: 'gateway:read',
    produces: [jsonMediaType, ndjsonMediaType],
    problems: heavyReadProblems,
  } as const
  const tags = ['Gateway']
  const sendPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    read: (signal: AbortSignal) => Promise<Page<unknown>>,
  ) => {
    const signal = await reads.admit(request, reply)
    const { items, next } = await read(signal)
    if (next !== undefined) reply.header('link', linkTo(request.url, next))
    const format = listFormat(request.headers.accept)
    reply.header('content-type', listContentType[format])
    return reads.send(request, reply, writeList(items, format))
  }
  return (server) => {
    server.get('/v1/vm_recommendations', {
      config,
      schema: {
        tags,
        summary: 'List usage, recommended sizes and cost of processes',
        description: `Sorted by vm; processes without use, such as kernel threads and those that have ended, are last; then by processGroup, process and cgroup, in byte order. ${window} ${paging} ${prices}`,
        querystring: VmRecommendationsQuery,
        response: { 200: Type.Array(VmRecommendation) },
      },
      handler: (request, reply) =>
        sendPage(request, reply, (signal) =>
          recommendMachines(deps, request.caller.organisation, request.query, signal),
        ),
    })
    server.get('/v1/vm_summaries', {
      config,
      schema: {
        tags,
        summary: 'Recommend machine sizes',
        description: `Sorted by vm, in byte order. With process_group, only these processes are counted. ${window} ${paging} ${prices}`,
        querystring: VmSummariesQuery,
        response: { 200: Type.Array(VmSummary) },
      },
      handler: (request, reply) =>
        sendPage(request, reply, (signal) =>
          summariseMachines(deps, request.caller.organisation, request.query, signal),
        ),
    })
  }
}
