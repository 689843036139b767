import { defaultOrganisation } from '../../../domain/key.ts'
import { Problem } from '../../../domain/problem.ts'
import type {
  OrganisationPreference,
  PreferenceDeps,
} from '../../../operations/recommend-sizes/preference.ts'
import type { Store } from '../../../store/port.ts'
import { type Call, type Command, exitCode, textOption, UsageError } from '../../command.ts'
import { organisationOf, organisationOption } from '../../organisation.ts'
import { type RemoteService, serverOf } from '../../server.ts'
import { profileOption, publicPolicies } from './constraint-options.ts'

type SizingDeps = PreferenceDeps & { readonly store: Pick<Store, 'keys'> }
type WithSettings = <Result>(call: Call, use: (deps: SizingDeps) => Promise<Result>) => Promise<Result>

/**
 * Shows and sets an organisation's sizing profile, through a service or directly in the database. A running service follows
 * at once.
 */
export function sizingCommands(withSettings: WithSettings): Command[] {
  const settings = ['server', 'data'] as const
  const operations = () => import('../../../operations/recommend-sizes/preference.ts')
  return [
    {
      name: 'sizing show',
      summary: "Show an organisation's sizing profile",
      settings,
      options: { organisation: organisationOption },
      run: async (call) => {
        const server = serverOf(call)
        if (server !== undefined) return show(call, await server.ask(pathOf(call.text('organisation'))))
        return withSettings(call, async (deps) => {
          const { readPreference } = await operations()
          return show(call, await readPreference(deps, organisationOf(call)))
        })
      },
    },
    {
      name: 'sizing set',
      summary: "Set an organisation's sizing profile; a request can override it",
      settings,
      options: {
        organisation: organisationOption,
        profile: profileOption,
        risk: textOption(
          'SHARE',
          'Instead of a profile: the accepted share of time above the request, such as 0.01',
        ),
      },
      notes: publicPolicies,
      run: async (call) => {
        const [profile, risk] = [call.text('profile'), call.number('risk')]
        if (profile === undefined && risk === undefined)
          throw new UsageError('--profile or --risk is required')
        const server = serverOf(call)
        if (server !== undefined)
          return show(call, await setOnServer(server, call, { profile, risk }).catch(withOptionNames))
        return withSettings(call, async (deps) => {
          const { setPreference } = await operations()
          const preference = await setPreference(deps, organisationOf(call), { profile, risk }).catch(
            withOptionNames,
          )
          await warnIfWithoutKeys(call, deps, preference.organisation)
          return show(call, preference)
        })
      },
    },
  ]
}

/** The path of the profile. Without a name it is that of the organisation of the key. */
const pathOf = (organisation: string | undefined): string =>
  organisation === undefined
    ? '/v1/sizing_profile'
    : `/admin/organisations/${encodeURIComponent(organisation)}/sizing_profile`

async function setOnServer(server: RemoteService, call: Call, body: object): Promise<OrganisationPreference> {
  const named = call.text('organisation')
  const whose = named ?? (await server.ask<{ organisation: string }>('/key')).organisation
  return server.ask(pathOf(whose), { method: 'PUT', body })
}

function withOptionNames(error: unknown): never {
  if (!(error instanceof Problem) || error.errors === undefined) throw error
  throw new UsageError(
    error.errors.map(({ pointer, message }) => `--${pointer.slice(1)} ${message}`).join('; '),
  )
}

/** An organisation exists from its first key on. A name without a key is allowed, but probably misspelt. */
async function warnIfWithoutKeys(call: Call, { store }: SizingDeps, organisation: string): Promise<void> {
  if (organisation === defaultOrganisation) return
  const keys = await store.keys.all()
  if (keys.some((key) => key.organisation === organisation)) return
  call.err(`cheapside sizing set: ${organisation} has no API key yet; check the spelling of the organisation`)
}

function show(call: Call, preference: OrganisationPreference) {
  const { organisation, profile, risk, set } = preference
  const by = risk === null ? `the ${profile} profile` : `a risk of ${risk}`
  call.out(
    call.json
      ? JSON.stringify(preference)
      : `Sizes of ${organisation} are recommended with ${by}${set ? '' : ', the default'}.`,
  )
  return exitCode.done
}
