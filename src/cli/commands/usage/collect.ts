import { holdsCredentials } from '../../../collectors/promql/client.ts'
import type { CollectionSettings, CollectProgress } from '../../../ingest/collect-usage.ts'
import { type Call, type Command, CommandFailure, exitCode, textOption, UsageError } from '../../command.ts'
import { organisationOf, organisationOption, refuseOrganisation } from '../../organisation.ts'
import { serverOf } from '../../server.ts'

/** Runs a collection into the database of this machine. Rejects with the same errors as collectUsage. */
type Collect = (
  call: Call,
  settings: CollectionSettings,
  signal: AbortSignal,
  onProgress: (progress: CollectProgress) => void,
) => Promise<CollectProgress>

export function collectCommand(collect: Collect): Command {
  const start = async (call: Call, settings: CollectionSettings, signal: AbortSignal) => {
    const server = serverOf(call)
    if (server === undefined) return collect(call, settings, signal, reporter(call))
    refuseOrganisation(call)
    const { collectToServer } = await import('./collect-to-server.ts')
    return collectToServer(server, settings, signal, reporter(call))
  }
  return {
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
      const done = await start(call, settings, stop.signal).catch((error: Error) => {
        // What was interrupted, such as a pause before a retry, reports an error of its own.
        stop.signal.throwIfAborted()
        const isPlain = plainFailures.has(error.name) || 'path' in error
        throw isPlain ? new CommandFailure(error.message) : error
      })
      if (call.json) call.out(JSON.stringify(viewOf(done)))
      else
        call.out(
          `Collected ${done.samples} samples of ${done.subjects} containers and processes into ${placeOf(call)}.`,
        )
      if (done.subjects === 0)
        call.err(
          `${settings.url} has no usage of containers or processes in this period: it must scrape the cAdvisor metrics of the kubelets, and --match and --tenant must select them.`,
        )
      return exitCode.done
    },
  }
}

const placeOf = ({ settings: { server } }: Call): string =>
  server === '' ? 'the database of this machine' : server

/** Names of errors whose messages are shown to the user unchanged. */
const plainFailures = new Set(['EngineRefused', 'EngineUnavailable', 'AlreadyCollecting', 'Superseded'])

const exampleMatchers = 'namespace="shop",env!="test"'
const quoted = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/.source
const matcher = `\\s*(?:[\\w.:]+|${quoted})\\s*(?:=~|!~|!=|=)\\s*(?:${quoted})\\s*`
/**
 * Checked before the engine is queried: a shell removes quotes that are not quoted themselves, and VictoriaMetrics answers
 * the rest like a query that is too large.
 */
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

/** Prints a line for every percent of progress. */
function reporter(call: Call): (progress: CollectProgress) => void {
  let shownPercent = -1
  return (progress) => {
    const percent = Math.floor(100 * progress.fraction)
    if (percent === shownPercent || call.json) return
    shownPercent = percent
    const { done_until, samples, subjects } = viewOf(progress)
    call.err(
      `${String(percent).padStart(3)}%  until ${done_until}  ${samples} samples, ${subjects} containers and processes`,
    )
  }
}
