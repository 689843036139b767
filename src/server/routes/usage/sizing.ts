import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { readSharing, type SharingDeps, setSharing } from '../../../costs/report/organisation-sharing.ts'
import { SharingBody, SharingView } from '../../../costs/report/schema.ts'
import type { Precondition } from '../../../domain/cursor.ts'
import { organisationRule } from '../../../domain/key.ts'
import { Problem } from '../../../domain/problem.ts'
import { boolean } from '../../../domain/schema.ts'
import {
  maxRules,
  readSizingRules,
  type SizingRulesDeps,
  setSizingRules,
} from '../../../recommendations/containers/organisation-rules.ts'
import type { SizingRuleInput } from '../../../recommendations/containers/parse-constraints.ts'
import { profiles } from '../../../recommendations/containers/parse-preference.ts'
import {
  type PreferenceDeps,
  readPreference,
  setPreference,
} from '../../../recommendations/containers/preference.ts'
import {
  type RulesEffect,
  SizingBody,
  SizingRulesBody,
  SizingRulesView,
  SizingView,
} from '../../../recommendations/containers/sizing-schema.ts'
import { heavyReadProblems } from '../../heavy-reads.ts'
import { preconditionOf } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const Organisation = Type.Object({ organisation: Type.String({ maxLength: 63 }) })

/** The organisation that the path names. */
function organisationOf({ params: { organisation } }: { params: Type.Static<typeof Organisation> }): string {
  if (organisationRule.pattern.test(organisation)) return organisation
  const errors = [{ pointer: '/organisation', message: organisationRule.message }]
  throw new Problem('invalid', 'The name of the organisation is invalid.', { errors })
}

const DryRunQuery = Type.Object({
  dry_run: boolean('Save nothing, and answer what would change in sizes and money (would_change)', {
    default: false,
  }),
})

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

export function sharingRoutes(deps: SharingDeps): Routes {
  return settingRoutes('cost_sharing', {
    what: 'sharing of costs',
    meaning: 'It applies to costs that are requested without another sharing.',
    View: SharingView,
    read: (organisation) => readSharing(deps, organisation),
    change: {
      summary: "Set how an organisation's idle and shared costs are divided",
      description:
        'It applies immediately on every node. An empty object restores the default: all stays apart.',
      Body: SharingBody,
      write: (organisation, body) => setSharing(deps, organisation, body),
    },
  })
}

interface RulesComparison {
  compare(
    organisation: string,
    rules: readonly SizingRuleInput[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<RulesEffect>
}

const rulesMeaning =
  'All rules that match a container apply; a later rule overrides an earlier one, and parameters of a request override all rules.'

/** Profiles, constraints and exclusions by cluster, namespace, workload, container and label. */
export function sizingRulesRoutes(deps: SizingRulesDeps & RulesComparison): Routes {
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
      dryRun: async (organisation, { rules }, request, reply) => {
        const current = await readSizingRules(deps, organisation)
        return { ...current, would_change: await deps.compare(organisation, rules, request, reply) }
      },
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
    /** Answers what the body would change, and stores nothing. */
    dryRun?(
      organisation: string,
      body: Type.Static<Body>,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<SettingView>
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
  const { summary, description, write, dryRun, ifMatch } = change
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
      handler: async (request, reply) => send(reply, await read(organisationOf(request))),
    })
    server.put(path, {
      config: {
        scope: 'admin',
        ...(ifMatch === undefined ? {} : { ifMatch }),
        ...(dryRun === undefined ? {} : { problems: heavyReadProblems }),
      },
      schema: {
        tags,
        summary,
        description,
        params: Organisation,
        ...(dryRun === undefined ? {} : { querystring: DryRunQuery }),
        body,
        response,
      },
      handler: async (request, reply) => {
        const organisation = organisationOf(request)
        const { dry_run: isDryRun } = request.query as Type.Static<typeof DryRunQuery>
        const given = request.body as Type.Static<Body>
        if (isDryRun && dryRun !== undefined)
          return send(reply, await dryRun(organisation, given, request, reply))
        return send(reply, await write(organisation, given, preconditionOf(request.headers['if-match'])))
      },
    })
  }
}
