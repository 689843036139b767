import { firstOrganisation } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import type { OrganisationWish, WishDeps } from '../../operations/recommend-sizes/organisation-wish.ts'
import type { Store } from '../../store/port.ts'
import { type Call, type Command, exitCode, numberOf, textOf, UsageError } from '../command.ts'
import { profileOption, publicPolicies } from './profile-option.ts'

type SizingDeps = WishDeps & { readonly store: Pick<Store, 'keys'> }
type WithSettings = <Result>(call: Call, use: (deps: SizingDeps) => Promise<Result>) => Promise<Result>

/** How much risk an organisation takes, straight on the database; a running service follows at once. */
export function sizingCommands(withSettings: WithSettings): Command[] {
  const settings = ['data'] as const
  const organisation = { type: 'string', value: 'ORG', text: 'Whose sizes; default: default' } as const
  const whose = (call: Call) => textOf(call, 'organisation') ?? firstOrganisation
  const operations = () => import('../../operations/recommend-sizes/organisation-wish.ts')
  return [
    {
      name: 'sizing show',
      summary: "Show an organisation's sizing profile",
      settings,
      options: { organisation },
      run: (call) =>
        withSettings(call, async (deps) => {
          const { readWish } = await operations()
          return show(call, await readWish(deps, whose(call)))
        }),
    },
    {
      name: 'sizing set',
      summary: "Set an organisation's sizing profile; a request may still ask for another",
      settings,
      options: {
        organisation,
        profile: profileOption,
        risk: {
          type: 'string',
          value: 'SHARE',
          text: 'Instead: the share of time above the request that is accepted, as 0.01',
        },
      },
      notes: publicPolicies,
      run: async (call) => {
        const [profile, risk] = [textOf(call, 'profile'), numberOf(call, 'risk')]
        if (profile === undefined && risk === undefined) throw new UsageError('--profile or --risk is needed')
        return withSettings(call, async (deps) => {
          const { setWish } = await operations()
          try {
            const wish = await setWish(deps, whose(call), { profile, risk })
            await warnOfNobody(call, deps, wish.organisation)
            return show(call, wish)
          } catch (error) {
            if (!(error instanceof Problem)) throw error
            const faults = (error.errors ?? []).map(
              ({ pointer, message }) => `--${pointer.slice(1)} ${message}`,
            )
            throw new UsageError(faults.join('; '))
          }
        })
      },
    },
  ]
}

/** An organisation comes into being with its first key, so one without is allowed, and likely mistyped. */
async function warnOfNobody(call: Call, { store }: SizingDeps, organisation: string): Promise<void> {
  if (organisation === firstOrganisation) return
  const keys = await store.keys.all()
  if (keys.some((key) => key.organisation === organisation)) return
  call.err(
    `cheapside sizing set: ${organisation} has no key yet; if that is mistyped, nobody gets these sizes`,
  )
}

function show(call: Call, wish: OrganisationWish) {
  const { organisation, profile, risk, set } = wish
  const by = risk === null ? `the profile ${profile}` : `a risk of ${risk}`
  call.out(
    call.json
      ? JSON.stringify(wish)
      : `Sizes of ${organisation} are recommended by ${by}${set ? '' : ', as nothing else was set'}.`,
  )
  return exitCode.done
}
