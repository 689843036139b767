import { randomUUID } from 'node:crypto'
import { type Settings, SettingsError } from '../../config.ts'
import { organisationRule } from '../../domain/key.ts'
import type { CollectionSettings } from '../../ingest/collections.ts'
import { type RetentionDays, retentionDaysOf } from '../../ingest/ingest-deps.ts'
import { type IngestThread, startIngestThread } from '../../ingest/ingest-thread.ts'
import type { IngestStats } from '../../ingest/pipeline.ts'
import { holdsCredentials } from '../../ingest/promql/client.ts'
import { StoreUnavailable } from '../../store/port.ts'
import { collectedUsageRoutes } from '../routes/usage/collected-usage.ts'
import { remoteWriteRoutes } from '../routes/usage/remote-write.ts'
import { type ServiceContext, type ServicePart, storeAddress } from './service-part.ts'

export function ingestPart({ settings, metrics, log, reportError }: ServiceContext) {
  const work = {
    // Ingestion must not read from a replica, because its writes depend on what it reads.
    store: { ...storeAddress(settings), readDatabaseUrl: '' },
    isSharded: settings.databaseUrl !== '',
    // An embedded database has one server at a time. With a constant name it need not wait for its own lease to expire
    // after a crash.
    holder: settings.databaseUrl === '' ? 'the server' : `node ${randomUUID()}`,
    maxSeries: settings.usageSeries,
    keptLabels: checkedLabels(settings.costLabels),
    retention: parseRetention(settings),
    collections: parseCollections(settings),
    collectMinutes: settings.collectMinutes,
    collectParts: settings.collectParts || (settings.databaseUrl === '' ? 1 : 4),
  }
  const count = metricsOf(metrics)
  let thread: IngestThread | undefined
  const logOfThread: ServiceContext['log'] = (level, message, more) =>
    level === 'info' || more?.err === undefined
      ? log(level, message, more)
      : reportError(level, message, more.err, more)
  const started = (): IngestThread => {
    if (thread === undefined) throw new StoreUnavailable('The usage thread is not started')
    return thread
  }
  return {
    retentionDaysOf: (organisation: string): number => retentionDaysOf(work.retention, organisation),
    routes: [
      remoteWriteRoutes({ receive: (request) => started().receive(request) }),
      collectedUsageRoutes({ receiveCollected: (request) => started().receiveCollected(request) }),
    ],
    start: async () => {
      thread = startIngestThread(work, logOfThread, count)
    },
    stop: async () => {
      await thread?.stop()
    },
  } satisfies ServicePart & { retentionDaysOf(organisation: string): number }
}

const maxLabels = 32
/** kubernetes.io/docs/concepts/overview/working-with-objects/labels: a name of 63 characters, a prefix of 253. */
const labelName = /^(annotation:)?([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/

function checkedLabels(labels: readonly string[]): readonly string[] {
  if (labels.length > maxLabels)
    throw new SettingsError(
      `CHEAPSIDE_COST_LABELS must have at most ${maxLabels} labels, not ${labels.length}`,
    )
  const wrong = labels.find((label) => !labelName.test(label))
  if (wrong !== undefined)
    throw new SettingsError(
      `CHEAPSIDE_COST_LABELS must be names of Kubernetes labels, or annotation:NAME, not ${JSON.stringify(wrong)}`,
    )
  return labels
}

/** Errors give the position of the entry instead of its text, which may contain a password. */
export function parseCollections(
  settings: Pick<
    ServiceContext['settings'],
    'collectFrom' | 'collectOrganisation' | 'collectDays' | 'collectBearerFile' | 'collectTenant'
  >,
): CollectionSettings[] {
  return settings.collectFrom.map((pair, index) => {
    const [, cluster, url] = /^([^=]+)=(https?:\/\/.+)$/.exec(pair) ?? []
    if (cluster === undefined || url === undefined || !URL.canParse(url))
      throw new SettingsError(`CHEAPSIDE_COLLECT_FROM must be cluster=url, but entry ${index + 1} is not`)
    if (holdsCredentials(url))
      throw new SettingsError(
        `CHEAPSIDE_COLLECT_FROM must not contain a user and password, but entry ${index + 1} does: ` +
          'put a token into a file and set CHEAPSIDE_COLLECT_BEARER_FILE to its path',
      )
    return {
      organisation: settings.collectOrganisation,
      cluster,
      url,
      days: settings.collectDays,
      bearerFile: settings.collectBearerFile,
      tenant: settings.collectTenant,
      matchers: '',
    }
  })
}

/** Counters of the ingest thread only increase, and start at zero when the thread is restarted. */
function metricsOf(metrics: ServiceContext['metrics']): (figures: IngestStats, isNew: boolean) => void {
  const received = metrics.counter('cheapside_usage_received_samples_total', 'Pushed samples by kind.', [
    'kind',
  ])
  const outcomes = metrics.counter(
    'cheapside_usage_samples_total',
    'Digested and rejected samples by reason.',
    ['reason'],
  )
  const irregularities = metrics.counter(
    'cheapside_usage_irregularities_total',
    'Irregularities found in samples, by kind.',
    ['kind'],
  )
  const transactions = metrics.counter('cheapside_usage_transactions_total', 'Writes to the journal.')
  let last: IngestStats | undefined
  metrics.gauge('cheapside_usage_series', 'Active usage series.', () => last?.series ?? 0)
  metrics.gauge(
    'cheapside_usage_subjects',
    'Containers and processes in memory on this node.',
    () => last?.subjects ?? 0,
  )
  metrics.gauge(
    'cheapside_usage_shards',
    'Shards of organisations that this node digests.',
    () => last?.shards ?? 0,
  )
  metrics.gauge(
    'cheapside_usage_waiting_bytes',
    'Bytes of requests waiting to be written.',
    () => last?.waitingBytes ?? 0,
  )
  return (figures, isNew) => {
    const before = isNew ? undefined : last
    const grown = (name: 'received' | 'outcomes' | 'irregularities') =>
      Object.entries(figures[name]).map(([key, value]) => [key, value - (before?.[name][key] ?? 0)] as const)
    for (const [kind, by] of grown('received')) received.inc({ kind }, by)
    for (const [reason, by] of grown('outcomes')) outcomes.inc({ reason }, by)
    for (const [kind, by] of grown('irregularities')) irregularities.inc({ kind }, by)
    transactions.inc(figures.transactions - (before?.transactions ?? 0))
    last = figures
  }
}

export function parseRetention({
  retentionDays,
  retentionOf,
}: Pick<Settings, 'retentionDays' | 'retentionOf'>): RetentionDays {
  const pairs = retentionOf.map((pair): [string, number] => {
    const [, organisation, days] = /^(.+)=(\d{1,5})$/.exec(pair) ?? []
    if (organisation === undefined || !organisationRule.pattern.test(organisation) || Number(days) < 1)
      throw new SettingsError(`CHEAPSIDE_RETENTION_OF must be organisation=days, not ${JSON.stringify(pair)}`)
    return [organisation, Number(days)]
  })
  return { retentionDays, retentionOf: Object.fromEntries(pairs) }
}
