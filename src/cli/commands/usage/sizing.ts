import { defaultOrganisation } from '../../../domain/key.ts'
import { Problem } from '../../../domain/problem.ts'
import type { SizingView } from '../../../recommendations/containers/sizing-schema.ts'
import { type Call, type Command, textOption, UsageError } from '../../command.ts'
import { organisationOption, settingPath } from '../../organisation.ts'
import type { ServiceClient } from '../../server.ts'
import { withAdminService } from '../../with-service.ts'
import { profileOption, publicPolicies } from './constraint-options.ts'

const settings = ['server', 'data'] as const

export const sizingCommands: readonly Command[] = [
  {
    name: 'sizing show',
    summary: "Show an organisation's sizing profile",
    settings,
    options: { organisation: organisationOption },
    run: (call) =>
      withAdminService(call, async (service) =>
        show(call, await service.ask(settingPath('sizing_profile', call.text('organisation')))),
      ),
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
      const body = { profile: call.text('profile'), risk: call.number('risk') }
      if (body.profile === undefined && body.risk === undefined)
        throw new UsageError('--profile or --risk is required')
      return withAdminService(call, async (service) => {
        const whose =
          call.text('organisation') ?? (await service.ask<{ organisation: string }>('/key')).organisation
        const preference = await service
          .ask<SizingView>(settingPath('sizing_profile', whose), { method: 'PUT', body })
          .catch(withOptionNames)
        await warnIfWithoutKeys(call, service, whose)
        return show(call, preference)
      })
    },
  },
]

function withOptionNames(error: unknown): never {
  if (!(error instanceof Problem) || error.errors === undefined) throw error
  throw new UsageError(
    error.errors.map(({ pointer, message }) => `--${pointer.slice(1)} ${message}`).join('; '),
  )
}

/** An organisation exists from its first key on. A name without a key is allowed, but probably misspelt. */
async function warnIfWithoutKeys(call: Call, service: ServiceClient, organisation: string): Promise<void> {
  if (organisation === defaultOrganisation) return
  const { keys } = await service.ask<{ keys: unknown[] }>('/admin/keys', { query: { organisation } })
  if (keys.length > 0) return
  call.err(`cheapside sizing set: ${organisation} has no API key yet; check the spelling of the organisation`)
}

function show(call: Call, preference: SizingView) {
  const { organisation, profile, risk, set } = preference
  const by = risk === null ? `the ${profile} profile` : `a risk of ${risk}`
  return call.show(
    preference,
    () => `Sizes of ${organisation} are recommended with ${by}${set ? '' : ', the default'}.`,
  )
}
