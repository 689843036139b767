import Type from 'typebox'
import { profiles } from '../../operations/recommend-sizes/advisors.ts'
import {
  type PreferenceDeps,
  readPreference,
  setPreference,
} from '../../operations/recommend-sizes/organisation-preference.ts'
import { SizingBody, SizingView } from '../schemas/sizing.ts'
import type { Routes } from '../server.ts'

const Organisation = Type.Object({ organisation: Type.String({ maxLength: 63 }) })

/** The sizing preference of an organisation, for requests that name none. */
export function sizingRoutes(deps: PreferenceDeps): Routes {
  return (server) => {
    server.get('/v1/sizing_profile', {
      config: { scope: 'gateway:read' },
      schema: {
        tags: ['Gateway'],
        summary: 'Show the sizing profile of your organisation',
        description: 'It applies to requests that name neither profile nor risk.',
        response: { 200: SizingView },
      },
      handler: async (request, reply) => reply.send(await readPreference(deps, request.caller.organisation)),
    })
    const [path, config, tags] = [
      '/admin/organisations/:organisation/sizing_profile',
      { scope: 'admin' },
      ['Administration'],
    ] as const
    server.get(path, {
      config,
      schema: {
        tags: [...tags],
        summary: "Show an organisation's sizing profile",
        params: Organisation,
        response: { 200: SizingView },
      },
      handler: async (request, reply) => reply.send(await readPreference(deps, request.params.organisation)),
    })
    server.put(path, {
      config,
      schema: {
        tags: [...tags],
        summary: "Set an organisation's sizing profile",
        description:
          'It applies immediately on every node to requests that name neither profile nor risk. An empty object restores the default.',
        params: Organisation,
        body: SizingBody(profiles),
        response: { 200: SizingView },
      },
      handler: async (request, reply) =>
        reply.send(await setPreference(deps, request.params.organisation, request.body)),
    })
  }
}
