import type { ProviderOutcome } from '../../../refresh/prepare.ts'
import type { Store } from '../../../store/port.ts'
import type { Call, Command, ExitCode } from '../../command.ts'
import { CommandFailure, exitCode, textOption, UsageError } from '../../command.ts'
import { serverOf } from '../../server.ts'

type WithStore = <Result>(call: Call, use: (store: Store) => Promise<Result>) => Promise<Result>

/**
 * Reads the providers' own price lists. Credentials come from the environment, or from files that the environment names.
 */
export function refreshCommand(withStore: WithStore): Command {
  return {
    name: 'catalogue refresh',
    summary: "Update prices from the providers' own price lists, on all nodes",
    settings: ['server', 'data', 'catalogue'],
    options: {
      provider: { type: 'string', value: 'KEY', text: 'Only this provider; may be repeated', multiple: true },
      accept: {
        type: 'boolean',
        text: 'Accept price lists however much they differ from the current prices',
      },
      to: textOption(
        'FILE',
        'Write a catalogue file, offline, instead of publishing to a service or the database',
      ),
    },
    optionsByPointer: { '/providers': '--provider' },
    notes:
      'With --server the service reads the lists with its own credentials, and the key needs the scope admin. ' +
      'If a list cannot be read or looks wrong, its provider keeps the current prices and the reason is shown. ' +
      'Some lists need a credential: GOOGLE_API_KEY, DIGITALOCEAN_TOKEN, HCLOUD_TOKEN, and for spot prices ' +
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; each can also be read from a file, named by the same variable with the suffix _FILE.',
    run: async (call) => {
      const server = call.text('to') === undefined ? serverOf(call) : undefined
      const { outcomes, ...catalogue } =
        server === undefined
          ? await refresh(call, withStore)
          : await (await import('./refresh-on-server.ts')).refreshOnServer(server, call)
      if (call.json) call.out(JSON.stringify({ ...catalogue, providers: outcomes }))
      else for (const outcome of outcomes) call.out(lineOf(outcome))
      if (!outcomes.some(isRead)) {
        const result = call.text('to') === undefined ? 'nothing was published' : 'no file was written'
        call.err(`The refresh failed: no price list was read, and ${result}.`)
        return exitCode.failed
      }
      return exitCodeFor(outcomes, call.values.provider !== undefined)
    },
  }
}

async function refresh(call: Call, withStore: WithStore) {
  const [{ providerOutcomes }, { shippedCatalogue }, { readAnyFile }] = await Promise.all([
    import('../../../refresh/prepare.ts'),
    import('../../../catalogue/load-catalogue.ts'),
    import('../../../program-files.ts'),
  ])
  const prepared = await prepare(call)
  const shipped = () =>
    readAnyFile(call.settings.catalogue === '' ? shippedCatalogue : call.settings.catalogue)
  const to = call.text('to')
  const refreshed = await (to === undefined ? onDatabase() : intoFile(to))
  const { id, manifest } = refreshed
  return { id, builtAt: manifest.builtAt, outcomes: providerOutcomes(manifest, prepared.providers) }

  async function intoFile(file: string) {
    const built = await prepared.run([await shipped()])
    if (built.fresh === 0) return built
    const { writeAtomically } = await import('../../../operations/catalogue/build-catalogue.ts')
    await writeAtomically(file, built.bytes)
    return built
  }

  async function onDatabase() {
    const { refreshAndPublish } = await import('../../../refresh/pipeline.ts')
    const holder = `catalogue refresh ${process.pid}`
    const outcome = await withStore(call, (store) =>
      refreshAndPublish({ store, shipped, refresh: prepared.run, now: Date.now, holder }),
    )
    if (outcome.kind === 'elsewhere')
      throw new CommandFailure('another node is currently refreshing the prices')
    if (!call.json && outcome.kind === 'published')
      call.err(
        'Published to the database of this machine; a service with this database serves the new prices.',
      )
    return outcome.refreshed
  }
}

async function prepare(call: Call) {
  const { prepareRefresh, NoPriceList } = await import('../../../refresh/prepare.ts')
  const { RefreshConfigError } = await import('../../../refresh/prepare.ts')
  const providers = call.texts('provider')
  try {
    return prepareRefresh({
      ...(providers === undefined ? {} : { providers }),
      accept: call.flag('accept'),
      environment: call.environment,
      onProgress: ({ provider, text }) => call.err(provider === '' ? text : `${provider}: ${text}`),
    })
  } catch (error) {
    if (error instanceof NoPriceList) throw new UsageError(error.message)
    throw error instanceof RefreshConfigError ? new CommandFailure(error.message) : error
  }
}

function lineOf({ provider, outcome, offers, reason, notes }: ProviderOutcome): string {
  const remarks = [reason, ...notes].filter((text) => text !== '')
  return [`${provider}: ${outcome}, ${offers} prices`, ...remarks].join('; ')
}

const isRead = ({ outcome }: ProviderOutcome): boolean => outcome === 'fresh' || outcome === 'unchanged'

/** The command fails if a list failed or was rejected, or if a provider that the user named lacks its credential. */
function exitCodeFor(outcomes: readonly ProviderOutcome[], named: boolean): ExitCode {
  const bad = outcomes.some(
    ({ outcome }) =>
      outcome === 'failed' || outcome === 'refused' || (named && outcome === 'needs-credential'),
  )
  return bad ? exitCode.failed : exitCode.done
}
