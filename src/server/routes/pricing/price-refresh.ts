import Type from 'typebox'
import { NoPriceList, RefreshConfigError } from '../../../catalogue/refresh/prepare.ts'
import {
  AlreadyRefreshing,
  type RefreshStatus,
  type RequestedRefresh,
} from '../../../catalogue/refresh/requested-refresh.ts'
import { refreshOutcomes } from '../../../domain/manifest.ts'
import { Problem } from '../../../domain/problem.ts'
import { boolean, nullable, optional, string, type View } from '../../../domain/schema.ts'
import type { Routes } from '../../server.ts'

const time = (description: string) => nullable(Type.String({ format: 'date-time' }), description)

export type RefreshView = View<typeof RefreshView>
const RefreshView = Type.Object({
  state: Type.Enum(['none', 'running', 'done', 'elsewhere', 'failed'], {
    description:
      'elsewhere: another node is already refreshing the prices; failed: see the log for the reason',
  }),
  started_at: time('Null if no refresh was requested from this node since it started'),
  finished_at: time('Null until it is finished'),
  requested: Type.Array(Type.String(), { description: 'Keys of the providers' }),
  progress: Type.Array(Type.Object({ provider: Type.String(), text: Type.String() }), {
    description: 'Latest progress line of each provider that was started',
  }),
  providers: Type.Array(
    Type.Object({
      provider: Type.String(),
      outcome: Type.Enum([...refreshOutcomes]),
      reason: string('Why the old prices are kept; blank if they are not'),
      notes: Type.Array(Type.String()),
      fresh_at: time('When the prices were last fetched or confirmed'),
      offers: Type.Integer(),
    }),
    { description: 'Results, after the refresh is done' },
  ),
})

export function priceRefreshRoutes(refresh: RequestedRefresh): Routes {
  const path = '/admin/prices/refresh'
  const tags = ['Administration']
  return (server) => {
    server.post(path, {
      config: { scope: 'admin', problems: ['conflict'] },
      schema: {
        tags,
        summary: "Refresh prices from the providers' own lists",
        description:
          'Starts a refresh and returns at once; GET on the same path shows its progress. Every node loads the new prices. ' +
          'If a list cannot be read or looks wrong, its provider keeps the current prices. Credentials are those of the service.',
        body: Type.Object({
          providers: optional(
            Type.Array(Type.String({ maxLength: 256 }), {
              maxItems: 100,
              description: 'Provider keys; default: all providers that have a price list',
            }),
          ),
          accept: optional(
            boolean('Accept price lists regardless of how much they differ from the current prices'),
          ),
        }),
        response: { 202: RefreshView },
      },
      handler: async (request, reply) => {
        const { providers, accept = false } = request.body
        const status = started(() =>
          refresh.start({ accept, ...(providers === undefined ? {} : { providers }) }),
        )
        return reply.code(202).header('location', path).send(viewOf(status))
      },
    })
    server.get(path, {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Show the progress of the last requested refresh',
        description:
          'Shows the refresh of the node that answers. GET /catalogue shows the results of every refresh on all nodes.',
        response: { 200: RefreshView },
      },
      handler: async (_request, reply) => reply.send(viewOf(refresh.status())),
    })
  }
}

function started(start: () => RefreshStatus): RefreshStatus {
  try {
    return start()
  } catch (error) {
    if (error instanceof NoPriceList)
      throw new Problem('invalid', 'The body is invalid.', {
        errors: [{ pointer: '/providers', message: error.message }],
      })
    if (error instanceof AlreadyRefreshing || error instanceof RefreshConfigError)
      throw new Problem('conflict', `${error.message}.`)
    throw error
  }
}

const viewOf = ({ state, startedAt, finishedAt, providers, progress, outcomes }: RefreshStatus) => ({
  state,
  started_at: startedAt === null ? null : new Date(startedAt).toISOString(),
  finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
  requested: providers,
  progress,
  providers: outcomes.map(({ freshAt, ...outcome }) => ({ ...outcome, fresh_at: freshAt })),
})
