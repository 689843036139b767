import type { CollectionSettings, CollectProgress } from '../../../ingest/collect-usage.ts'
import { holdsCredentials } from '../../../ingest/promql/client.ts'
import { type Call, type Command, CommandFailure, exitCode, textOption, UsageError } from '../../command.ts'
import { withStore } from '../../local/deps.ts'
import { organisationOf, organisationOption, refuseOrganisation } from '../../organisation.ts'
import { fileFault } from '../../read-json.ts'
import { type ServiceClient, serverOf } from '../../server.ts'

const exampleMatchers = 'namespace="shop",env!="test"'

export const collectCommand: Command = {
  name: 'collect',
  summary: 'Collect usage history from Prometheus, VictoriaMetrics, Thanos or Mimir',
  settings: ['server', 'data'],
  options: {
    from: textOption('URL', 'Address of the engine, without /api/v1'),
    cluster: textOption('NAME', 'Cluster of series without a cluster label'),
    organisation: organisationOption,
    days: textOption('N', 'Days of history that a new collection starts with; default 30'),
    match: textOption('MATCHERS', `PromQL matchers, such as '${exampleMatchers}'`),
    'bearer-file': textOption('FILE', 'File with the bearer token for the engine'),
    tenant: textOption('NAME', 'Tenant to query, sent as X-Scope-OrgID'),
  },
  notes: [
    'Continues where the last run stopped; hours that are already collected are not queried again.',
    'With --server this command queries the engine and sends the history to the service, which need not reach the engine;',
    'the key needs the scope usage:write. A service can also collect on its own: CHEAPSIDE_COLLECT_FROM.',
  ].join('\n'),
  run: async (call) => {
    const settings = settingsOf(call)
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => stop.abort(new CommandFailure('stopped; run it again to continue')))
    const done = await collect(call, settings, stop.signal).catch((error: Error) => {
      // What was interrupted, such as a pause before a retry, reports an error of its own.
      stop.signal.throwIfAborted()
      const isPlain = plainFailures.has(error.name) || 'path' in error
      throw isPlain ? new CommandFailure(oneSentence(error, settings)) : error
    })
    call.show(
      viewOf(done),
      () =>
        `Collected ${done.samples} samples of ${done.subjects} containers and processes into ${placeOf(call)}.`,
    )
    if (done.subjects === 0)
      call.err(
        `${settings.url} has no usage of containers or processes in this period: it must scrape the cAdvisor metrics of the kubelets, and --match and --tenant must select them.`,
      )
    return exitCode.done
  },
}

/** This command reads the engine, so a service need not reach it. */
async function collect(call: Call, settings: CollectionSettings, signal: AbortSignal) {
  const { collectHistory } = await import('./collect-history.ts')
  const collectTo = (service: ServiceClient) =>
    collectHistory(service, settings, signal, reporter(call), (message) => warn(call, message))
  const server = serverOf(call)
  if (server !== undefined) {
    refuseOrganisation(call)
    return collectTo(server)
  }
  return withStore(call, async (store) => {
    const { localService } = await import('../../local/service.ts')
    const collected = await collectTo(localService(call, store))
    const { decideFromStore } = await import('../../../decisions/decide-day.ts')
    await decideFromStore(store, settings.organisation, Date.now(), signal)
    return collected
  })
}

/** A page of a proxy or of another program says nothing about what to do. */
function oneSentence(error: Error, { url, bearerFile }: CollectionSettings): string {
  const { code, path } = error as NodeJS.ErrnoException
  if (code !== undefined && path !== undefined) return `${path} cannot be read: ${fileFault(error)}`
  const status =
    /^HTTP (\d+): *(?:$|<|404 page not found|Not Found|Unauthorized|Forbidden|Bad Gateway)/i.exec(
      error.message,
    )?.[1]
  if (status === undefined) return error.message
  const remedy =
    status === '401' || status === '403'
      ? `it needs ${bearerFile === '' ? '' : 'another '}token in --bearer-file`
      : '--from must be the address of a PromQL engine, without /api/v1'
  return `${url} answered HTTP ${status}, not as a PromQL engine: ${remedy}`
}

const placeOf = ({ settings: { server } }: Call): string =>
  server === '' ? 'the database of this machine' : server

/** Names of errors whose messages are shown to the user unchanged. */
const plainFailures = new Set(['EngineRefused', 'EngineUnavailable'])

const quoted = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/.source
const matcher = `\\s*(?:[\\w.:]+|${quoted})\\s*(?:=~|!~|!=|=)\\s*(?:${quoted})\\s*`
/** A shell removes quotes that are not quoted themselves, and VictoriaMetrics answers the rest like a query that is too large. */
const isMatchers = new RegExp(`^${matcher}(?:,${matcher})*(?:,\\s*)?$`)

function settingsOf(call: Call): CollectionSettings {
  const url = call.requiredText('from')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('--from must be the address of an engine, such as http://prometheus:9090')
  if (holdsCredentials(url))
    throw new UsageError(
      '--from must not contain user and password: put a token into a file for --bearer-file',
    )
  const days = call.number('days') ?? 30
  if (days <= 0 || days > 3650) throw new UsageError(`--days must be from 1 to 3650, not ${days}`)
  const matchers = call.text('match') ?? ''
  if (matchers !== '' && !isMatchers.test(matchers))
    throw new UsageError(
      `--match must be PromQL matchers with values in quotes, such as '${exampleMatchers}'`,
    )
  return {
    organisation: organisationOf(call),
    cluster: call.requiredText('cluster'),
    url,
    days,
    bearerFile: call.text('bearer-file') ?? '',
    tenant: call.text('tenant') ?? '',
    matchers,
  }
}

const viewOf = ({ fraction, doneUntilMs, samples, subjects }: CollectProgress) => ({
  fraction,
  done_until: new Date(doneUntilMs).toISOString(),
  samples,
  subjects,
})

/** At once, because a wrong address would otherwise be silent while it is tried again. */
const warn = (call: Call, message: string): void => call.err(`cheapside collect: ${message}`)

/** Reports every percent of progress. */
function reporter(call: Call): (progress: CollectProgress) => void {
  let shownPercent = -1
  return (progress) => {
    const percent = Math.floor(100 * progress.fraction)
    if (percent === shownPercent || call.json) return
    shownPercent = percent
    const { done_until, samples, subjects } = viewOf(progress)
    call.progress(
      `${String(percent).padStart(3)}%  until ${done_until}  ${samples} samples, ${subjects} containers and processes`,
    )
  }
}
