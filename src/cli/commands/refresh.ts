import type { Importer } from '../../importers/live/importer.ts'
import type { RefreshedPrices } from '../../operations/refresh-prices.ts'
import type { Store } from '../../store/port.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCode,
  textOf,
  UsageError,
} from '../command.ts'

type WithStore = <Result>(call: Call, use: (store: Store) => Promise<Result>) => Promise<Result>
type Environment = Readonly<Record<string, string | undefined>>

/** Reads providers' own price lists. Credentials come from the environment, or from files that it names. */
export function refreshCommand(withStore: WithStore, environment: Environment): Command {
  return {
    name: 'catalogue refresh',
    summary: "Bring prices up to date from the providers' own lists, on all nodes",
    settings: ['data', 'catalogue'],
    options: {
      provider: { type: 'string', value: 'KEY', text: 'Only these; may be repeated', multiple: true },
      accept: { type: 'boolean', text: 'Believe lists however far they are from the prices in force' },
      to: { type: 'string', value: 'FILE', text: 'Write a catalogue file instead; no database is touched' },
    },
    notes:
      'A list that fails or is doubtful changes nothing: the prices of before stay in force, and the reason is shown. ' +
      'Some lists need a credential: GOOGLE_API_KEY, DIGITALOCEAN_TOKEN, HCLOUD_TOKEN, and for spot prices ' +
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; each may also be a file, named by the same name with _FILE.',
    run: async (call) => {
      const { importers } = await import('../../importers/live/importers.ts')
      const chosen = choose(call, importers)
      const refreshed = await refresh(call, chosen, withStore, environment)
      show(call, refreshed, chosen)
      return verdict(call, refreshed, chosen)
    },
  }
}

function choose(call: Call, importers: readonly Importer[]): readonly Importer[] {
  const names = call.values.provider as string[] | undefined
  if (names === undefined) return importers
  const known = importers.map(({ provider }) => provider.key)
  const unknown = names.find((name) => !known.includes(name.toLowerCase()))
  if (unknown !== undefined)
    throw new UsageError(
      `${JSON.stringify(unknown)} has no price list that can be read; ${known.join(', ')} have`,
    )
  return importers.filter(({ provider }) => names.some((name) => name.toLowerCase() === provider.key))
}

async function refresh(
  call: Call,
  chosen: readonly Importer[],
  withStore: WithStore,
  environment: Environment,
): Promise<RefreshedPrices> {
  const { refreshInThread } = await import('../../operations/refresh-thread.ts')
  const { readEndpoints, readSecrets, SecretFileError } = await import('../../operations/refresh-secrets.ts')
  const { shippedCatalogue } = await import('../../operations/load-catalogue.ts')
  const { readFile } = await import('node:fs/promises')
  const plainly = (error: Error) => {
    throw error instanceof SecretFileError ? new CommandFailure(error.message) : error
  }
  const secrets = await Promise.try(() => readSecrets(chosen, environment)).catch(plainly)
  const endpoints = await Promise.try(() => readEndpoints(chosen, environment)).catch(plainly)
  const shipped = () => readFile(call.settings.catalogue === '' ? shippedCatalogue : call.settings.catalogue)
  const run = (bytes: Uint8Array) =>
    refreshInThread(
      {
        bytes,
        providers: chosen.map(({ provider }) => provider.key),
        secrets,
        endpoints,
        accept: call.values.accept === true,
      },
      ({ provider, text }) => call.err(provider === '' ? text : `${provider}: ${text}`),
    )
  const to = textOf(call, 'to')
  if (to !== undefined) {
    const refreshed = await run(await shipped())
    const { writeAside } = await import('../../operations/build-catalogue.ts')
    await writeAside(to, refreshed.bytes)
    return refreshed
  }
  const { refreshAndPublish } = await import('../../operations/refresh-and-publish.ts')
  const holder = `catalogue refresh ${process.pid}`
  const outcome = await withStore(call, (store) =>
    refreshAndPublish({ store, shipped, refresh: run, now: Date.now, holder }),
  )
  if (outcome.kind === 'elsewhere') throw new CommandFailure('another node is refreshing the prices just now')
  return outcome.refreshed
}

function show(call: Call, { id, manifest }: RefreshedPrices, chosen: readonly Importer[]): void {
  const rows = rowsOf(manifest, chosen)
  if (call.json) call.out(JSON.stringify({ id, builtAt: manifest.builtAt, providers: rows }))
  else
    for (const { provider, outcome, offers, reason, notes } of rows)
      call.out(
        `${provider}: ${outcome}, ${offers} prices${[reason, ...notes]
          .filter(Boolean)
          .map((text) => `; ${text}`)
          .join('')}`,
      )
}

/** Somebody should look where a list failed or was refused, or where the one that was asked for lacks its credential. */
function verdict(call: Call, { manifest }: RefreshedPrices, chosen: readonly Importer[]): ExitCode {
  const named = call.values.provider !== undefined
  const bad = rowsOf(manifest, chosen).some(
    ({ outcome }) =>
      outcome === 'failed' || outcome === 'refused' || (named && outcome === 'needs-credential'),
  )
  return bad ? exitCode.failed : exitCode.done
}

function rowsOf({ providers }: RefreshedPrices['manifest'], chosen: readonly Importer[]) {
  return chosen.map(({ provider: { key } }) => {
    const of = providers.find(({ provider }) => provider === key)
    const { outcome = 'failed', reason = '', notes = [], freshAt = null } = of?.refresh ?? {}
    return { provider: key, outcome, reason, notes, freshAt, offers: of?.offers ?? 0 }
  })
}
