import { setTimeout as pause } from 'node:timers/promises'
import type { ProviderOutcome } from '../../../catalogue/refresh/prepare.ts'
import type { CatalogueDescription } from '../../../catalogue/schema.ts'
import type { RefreshView } from '../../../server/routes/pricing/price-refresh.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCode,
  flagOption,
  listOption,
  textOption,
  UsageError,
} from '../../command.ts'
import { fittedLines } from '../../render/table.ts'
import { type ServiceClient, serverOf } from '../../server.ts'
import { withAdminService } from '../../with-service.ts'

const path = '/admin/prices/refresh'

/** Credentials come from the environment, or from files that the environment names. */
export const refreshCommand: Command = {
  name: 'catalogue refresh',
  summary: "Update prices from the providers' own price lists, on all nodes",
  settings: ['server', 'data', 'catalogue', 'refreshHours', 'refreshRegions'],
  options: {
    provider: listOption('KEY', 'Only this provider'),
    accept: flagOption('Accept price lists however much they differ from the current prices'),
    'dry-run': flagOption(
      'Only show where each list is read from, what it needs, how large it was, and how often a service reads it',
    ),
    record: textOption(
      'DIRECTORY',
      'Also record what the providers answer, to report a list that cannot be read',
    ),
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
    if (call.flag('dry-run')) return showLists(call)
    const to = call.text('to')
    if (call.settings.server !== '' && to === undefined && call.text('record') !== undefined)
      throw new UsageError('--record records what this machine reads; leave out --server')
    const { outcomes, ...catalogue } =
      to === undefined
        ? await withAdminService(call, (service) => refresh(service, call))
        : await refreshFile(to, call)
    if (call.json) call.out(JSON.stringify({ ...catalogue, providers: outcomes }))
    else for (const outcome of outcomes) call.out(lineOf(outcome))
    if (!outcomes.some(isRead)) {
      const result = to === undefined ? 'nothing was published' : 'no file was written'
      call.err(`The refresh failed: no price list was read, and ${result}.`)
      return exitCode.failed
    }
    if (to === undefined && !call.json && call.settings.server === '')
      call.err(
        'Published to the database of this machine; a service with this database serves the new prices.',
      )
    return exitCodeFor(outcomes, call.values.provider !== undefined)
  },
}

/** Reads no list. Sizes are those that the service, or the database of this machine, has recorded. */
async function showLists(call: Call): Promise<ExitCode> {
  const { NoPriceList, priceListLine, priceLists, recordedNotes, servedNotes } = await import(
    '../../../catalogue/refresh/price-lists.ts'
  )
  const { withStore } = await import('../../local/deps.ts')
  const notes =
    call.settings.server === ''
      ? recordedNotes(await withStore(call, (store) => store.prices.latest()))
      : servedNotes(await serverOf(call)!.ask('/catalogue'))
  const { refreshHours: hours, refreshRegions } = call.settings
  try {
    const lists = priceLists({
      environment: call.environment,
      providers: call.texts('provider'),
      hours,
      allRegions: refreshRegions === 'all',
      noteOf: (provider) => notes.get(provider),
    })
    if (call.json) call.out(JSON.stringify({ lists }))
    else for (const list of lists) call.out(fittedLines(priceListLine(list)).join('\n'))
  } catch (error) {
    throw error instanceof NoPriceList ? new UsageError(error.message) : error
  }
  return exitCode.done
}

type ProviderResult = RefreshView['providers'][number]

async function refresh(service: ServiceClient, call: Call) {
  const started = await service.ask<RefreshView>(path, {
    body: { ...(call.values.provider && { providers: call.values.provider }), accept: call.values.accept },
  })
  const isLocal = call.settings.server === ''
  // A refresh in this process reports every line itself.
  const shown = new Map<string, string>()
  let seenAt = performance.now()
  for (; ; await pause(pollMs)) {
    const status = await service.ask<RefreshView>(path)
    // Another node may have answered, which does not know this refresh. Published prices are served by all nodes.
    const isHere = status.started_at === started.started_at
    if (isHere) {
      seenAt = performance.now()
      for (const { provider, text } of isLocal ? [] : status.progress) {
        if (shown.get(provider) !== text) call.err(provider === '' ? text : `${provider}: ${text}`)
        shown.set(provider, text)
      }
      if (status.state === 'elsewhere')
        throw new CommandFailure('another node is currently refreshing the prices')
      if (status.state === 'failed')
        throw new CommandFailure(`the refresh failed${isLocal ? '' : '; see the log of the service'}`)
      if (status.state === 'running') continue
    }
    const served = await service.ask<CatalogueDescription>('/catalogue')
    const recorded = resultsOf(served, started)
    // If no list was read, the date stays, and only the outcomes of the providers are new.
    if (recorded.length > 0 || Date.parse(served.built_at) >= Date.parse(started.started_at!))
      return {
        id: served.id,
        builtAt: served.built_at,
        outcomes: (isHere ? status.providers : recorded).map(outcomeOf),
      }
    if (performance.now() - seenAt > maxUnseenMs)
      throw new CommandFailure(
        'the service no longer knows this refresh and has not published new prices; it may have been restarted',
      )
  }
}

function resultsOf({ providers }: CatalogueDescription, { requested, started_at }: RefreshView) {
  return providers.flatMap(({ provider_key: provider, refresh, offers }) => {
    if (refresh === null || !requested.includes(provider)) return []
    const { at, bytes: _, ...result } = refresh
    return Date.parse(at) < Date.parse(started_at!) ? [] : [{ ...result, provider, offers }]
  })
}

const outcomeOf = ({ fresh_at, ...result }: ProviderResult): ProviderOutcome => ({
  ...result,
  freshAt: fresh_at,
})

async function refreshFile(file: string, call: Call) {
  const { providerOutcomes } = await import('../../../catalogue/refresh/prepare.ts')
  const { shippedCatalogue } = await import('../../../catalogue/load-catalogue.ts')
  const { readAnyFile } = await import('../../../runtime/program-files.ts')
  const prepared = await prepare(call)
  const { id, manifest, bytes, fresh } = await prepared.run([
    await readAnyFile(call.settings.catalogue || shippedCatalogue),
  ])
  if (fresh > 0) {
    const { writeAtomically } = await import('../../../catalogue/build-catalogue.ts')
    await writeAtomically(file, bytes)
  }
  return { id, builtAt: manifest.builtAt, outcomes: providerOutcomes(manifest, prepared.providers) }
}

async function prepare(call: Call) {
  const { prepareRefresh, NoPriceList } = await import('../../../catalogue/refresh/prepare.ts')
  const providers = call.texts('provider')
  try {
    return prepareRefresh({
      ...(providers === undefined ? {} : { providers }),
      accept: call.flag('accept'),
      recordTo: call.text('record'),
      environment: call.environment,
      onProgress: ({ provider, text }) => call.err(provider === '' ? text : `${provider}: ${text}`),
    })
  } catch (error) {
    throw error instanceof NoPriceList ? new UsageError(error.message) : error
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

const pollMs = 500
/** Longer than a refresh of all providers takes. */
const maxUnseenMs = 30 * 60_000
