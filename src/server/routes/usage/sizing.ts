import Type from 'typebox'
import type { Precondition } from '../../../domain/entity-tag.ts'
import {
  maxRules,
  readSizingRules,
  type SizingRulesDeps,
  setSizingRules,
} from '../../../recommendations/containers/organisation-rules.ts'
import { profiles } from '../../../recommendations/containers/parse-preference.ts'
import {
  type PreferenceDeps,
  readPreference,
  setPreference,
} from '../../../recommendations/containers/preference.ts'
import {
  SizingBody,
  SizingRulesBody,
  SizingRulesView,
  SizingView,
} from '../../../recommendations/containers/sizing-schema.ts'
import { preconditionOf } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const Organisation = Type.Object({ organisation: Type.String({ maxLength: 63 }) })

/** The sizing profile of an organisation, which applies to requests that name none. */
export function sizingRoutes(deps: PreferenceDeps): Routes {
  return settingRoutes('sizing_profile', {
    what: 'sizing profile',
    meaning: 'It applies to requests that name neither profile nor risk.',
    View: SizingView,
    read: (organisation) => readPreference(deps, organisation),
    change: {
      summary: "Set an organisation's sizing profile",
      description:
        'It applies immediately on every node to requests that name neither profile nor risk. An empty object restores the default.',
      Body: SizingBody(profiles),
      write: (organisation, body) => setPreference(deps, organisation, body),
    },
  })
}

const rulesMeaning =
  'All rules that match the cluster and the namespace apply; a later rule overrides an earlier one, and parameters of a request override all rules.'

/** Constraints on sizes by cluster and namespace. */
export function sizingRulesRoutes(deps: SizingRulesDeps): Routes {
  return settingRoutes('sizing_rules', {
    what: 'sizing rules',
    meaning: rulesMeaning,
    View: SizingRulesView,
    read: (organisation) => readSizingRules(deps, organisation),
    change: {
      summary: "Replace an organisation's sizing rules",
      description: `${rulesMeaning} They apply immediately on every node; an empty list removes them.`,
      Body: SizingRulesBody(maxRules),
      ifMatch: 'The ETag of the rules that are replaced',
      write: (organisation, { rules }, isExpected) => setSizingRules(deps, organisation, rules, isExpected),
    },
  })
}

interface OrganisationSetting<Body extends Type.TSchema> {
  readonly what: string
  readonly meaning: string
  readonly View: Type.TSchema
  read(organisation: string): Promise<SettingView>
  readonly change: {
    readonly summary: string
    readonly description: string
    readonly Body: Body
    /** What an If-Match header names; undefined if there is no ETag. */
    readonly ifMatch?: string
    write(organisation: string, body: Type.Static<Body>, isExpected?: Precondition): Promise<SettingView>
  }
}

interface SettingView {
  readonly organisation: string
  readonly etag?: string
}

/** A setting that an organisation reads with its own keys, and that administrators read and change. */
function settingRoutes<Body extends Type.TSchema>(
  name: string,
  { what, meaning, View, read, change }: OrganisationSetting<Body>,
): Routes {
  const { summary, description, write, ifMatch } = change
  const body: Type.TSchema = change.Body
  const response = { 200: View }
  const send = (
    reply: { header(name: 'etag', value: string): unknown; send(view: unknown): unknown },
    view: SettingView,
  ) => {
    if (view.etag !== undefined) reply.header('etag', view.etag)
    return reply.send(view)
  }
  return (server) => {
    server.get(`/v1/${name}`, {
      config: { scope: 'gateway:read' },
      schema: {
        tags: ['Gateway'],
        summary: `Show the ${what} of your organisation`,
        description: meaning,
        response,
      },
      handler: async (request, reply) => send(reply, await read(request.caller.organisation)),
    })
    const path = `/admin/organisations/:organisation/${name}`
    const tags = ['Administration']
    server.get(path, {
      config: { scope: 'admin' },
      schema: { tags, summary: `Show an organisation's ${what}`, params: Organisation, response },
      handler: async (request, reply) => send(reply, await read(request.params.organisation)),
    })
    server.put(path, {
      config: { scope: 'admin', ...(ifMatch === undefined ? {} : { ifMatch }) },
      schema: { tags, summary, description, params: Organisation, body, response },
      handler: async (request, reply) => {
        const isExpected = preconditionOf(request.headers['if-match'])
        return send(
          reply,
          await write(request.params.organisation, request.body as Type.Static<Body>, isExpected),
        )
      },
    })
  }
}
