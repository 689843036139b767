import Type from 'typebox'
import { profiles } from '../../../operations/recommend-sizes/advisors.ts'
import {
  type PreferenceDeps,
  readPreference,
  setPreference,
} from '../../../operations/recommend-sizes/organisation-preference.ts'
import {
  mostRules,
  readSizingRules,
  type SizingRulesDeps,
  setSizingRules,
} from '../../../operations/recommend-sizes/organisation-rules.ts'
import { SizingBody, SizingRulesBody, SizingRulesView, SizingView } from '../../schemas/sizing.ts'
import type { Routes } from '../../server.ts'

const own = { config: { scope: 'gateway:read' } as const, tags: ['Gateway'] }
const admin = { config: { scope: 'admin' } as const, tags: ['Administration'] }
const Organisation = Type.Object({ organisation: Type.String({ maxLength: 63 }) })

/** The sizing preference of an organisation, for requests that name none. */
export function sizingRoutes(deps: PreferenceDeps): Routes {
  return (server) => {
    server.get('/v1/sizing_profile', {
      config: own.config,
      schema: {
        tags: own.tags,
        summary: 'Show the sizing profile of your organisation',
        description: 'It applies to requests that name neither profile nor risk.',
        response: { 200: SizingView },
      },
      handler: async (request, reply) => reply.send(await readPreference(deps, request.caller.organisation)),
    })
    const path = '/admin/organisations/:organisation/sizing_profile'
    server.get(path, {
      config: admin.config,
      schema: {
        tags: admin.tags,
        summary: "Show an organisation's sizing profile",
        params: Organisation,
        response: { 200: SizingView },
      },
      handler: async (request, reply) => reply.send(await readPreference(deps, request.params.organisation)),
    })
    server.put(path, {
      config: admin.config,
      schema: {
        tags: admin.tags,
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

const rulesMeaning =
  'All rules that match the cluster and the namespace apply, a later one over an earlier; what a request says itself goes over all.'

/** Constraints on sizes by cluster and namespace. */
export function sizingRulesRoutes(deps: SizingRulesDeps): Routes {
  return (server) => {
    server.get('/v1/sizing_rules', {
      config: own.config,
      schema: {
        tags: own.tags,
        summary: 'Show the sizing rules of your organisation',
        description: rulesMeaning,
        response: { 200: SizingRulesView },
      },
      handler: async (request, reply) => reply.send(await readSizingRules(deps, request.caller.organisation)),
    })
    const path = '/admin/organisations/:organisation/sizing_rules'
    server.get(path, {
      config: admin.config,
      schema: {
        tags: admin.tags,
        summary: "Show an organisation's sizing rules",
        params: Organisation,
        response: { 200: SizingRulesView },
      },
      handler: async (request, reply) => reply.send(await readSizingRules(deps, request.params.organisation)),
    })
    server.put(path, {
      config: admin.config,
      schema: {
        tags: admin.tags,
        summary: "Replace an organisation's sizing rules",
        description: `${rulesMeaning} They apply immediately on every node; an empty list removes them.`,
        params: Organisation,
        body: SizingRulesBody(mostRules),
        response: { 200: SizingRulesView },
      },
      handler: async (request, reply) =>
        reply.send(await setSizingRules(deps, request.params.organisation, request.body.rules)),
    })
  }
}
