import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hourMs } from '../domain/time.ts'
import { withLease } from '../store/with-lease.ts'
import type { Partition, PartitionSummary } from '../usage/port.ts'
import { partitionLease } from '../usage/shard.ts'
import { Digester } from './digester.ts'
import type { IngestDeps } from './ingest-deps.ts'
import { type RetentionDays, retentionDaysOf } from './ingest-deps.ts'
import { EngineRefused, PromqlClient } from './promql/client.ts'
import { type CollectionPart, chunkMs, collect, partMatchers } from './promql/collect.ts'
import { writeQueryResult } from './sample-writer.ts'

export interface CollectionSettings {
  readonly organisation: string
  /** Cluster of series without a cluster label. */
  readonly cluster: string
  readonly url: string
  /** History that a new collection begins with. */
  readonly days: number
  /** Path of a file with a bearer token; '' if the engine needs none. */
  readonly bearerFile: string
  readonly tenant: string
  /** Further PromQL matchers; '' for none. */
  readonly matchers: string
  readonly part?: CollectionPart
}

export interface CollectProgress {
  readonly fraction: number
  readonly doneUntilMs: number
  readonly samples: number
  readonly subjects: number
}

export class AlreadyCollecting extends Error {
  override readonly name = 'AlreadyCollecting'
}

/**
 * Collects history from a PromQL engine until now, from where it last stopped. Each hour is committed with its resume
 * point, so that nothing is lost and nothing counts twice however it ends.
 */
export async function collectUsage(
  { store, holder, now, keptLabels, retention, log }: IngestDeps,
  settings: CollectionSettings,
  signal: AbortSignal,
): Promise<CollectProgress> {
  const partition = collectionPartition(settings)
  const term = { ttlMs: leaseMs, holder }
  const collected = await withLease(store.leases, partitionLease(partition), term, async (lost) => {
    const digester = await Digester.open(store.usage, partition, keptLabels)
    const doneBefore = Number(digester.resume) || earlierResume(await store.usage.partitions(), settings)
    const span = withinRetention(collectionSpan(doneBefore, settings.days, now()), settings, retention)
    const { fromMs } = span
    const client = await collectionClient(settings, AbortSignal.any([signal, lost]), (message) =>
      log('warn', message),
    )
    const parts = settings.part === undefined ? [''] : await partMatchers(client, settings.part, span)
    const matchers = parts.map((part) => [part, settings.matchers].filter((text) => text !== '').join(','))
    let progress: CollectProgress = { fraction: 0, doneUntilMs: fromMs, samples: 0, subjects: 0 }
    for await (const piece of collect(client, { ...span, matchers })) {
      const { doneUntilMs } = piece
      const samples = writeQueryResult(digester.writer, piece.series, settings.cluster, doneUntilMs + chunkMs)
      if (doneUntilMs > progress.doneUntilMs) {
        digester.resume = String(doneUntilMs)
        await digester.commit()
        await digester.compact(doneUntilMs)
      }
      progress = {
        fraction: piece.progress,
        doneUntilMs,
        samples: progress.samples + samples,
        subjects: digester.writer.accumulator.subjects.size,
      }
    }
    return progress
  })
  if (collected === undefined)
    throw new AlreadyCollecting(`another process is collecting ${settings.cluster} from ${settings.url}`)
  return collected
}

/** Usage from before the retention would be deleted soon. */
function withinRetention<Span extends { readonly fromMs: number; readonly toMs: number }>(
  span: Span,
  { organisation }: CollectionSettings,
  retention: RetentionDays | undefined,
): Span {
  if (retention === undefined) return span
  const keptFromMs = span.toMs - retentionDaysOf(retention, organisation) * 24 * hourMs
  return { ...span, fromMs: Math.max(span.fromMs, keptFromMs) }
}

/** An engine with another address is another source, so that an hour that both report counts once. */
export function collectionName({ cluster, engine }: { cluster: string; engine: string }): string {
  const name = `collect/${encodeURIComponent(cluster)}@${engine}`
  return name.length <= longestName ? name : `collect/${hash('sha256', name)}`
}

/** A different number of parts is another source too, so that an hour that both have counts once. */
export function collectionPartition(settings: CollectionSettings): Partition {
  const { organisation, part } = settings
  const name = collectionName({ ...settings, engine: engineName(settings) })
  return part === undefined
    ? { organisation, source: name }
    : { organisation, source: `${name}~${part.count}`, shard: part.number }
}

/** 0 if there is none. Rounded down to the start of an hour, so that this hour is collected as a whole. */
function earlierResume(partitions: readonly PartitionSummary[], settings: CollectionSettings): number {
  const own = collectionPartition(settings)
  const name = collectionName({ ...settings, engine: engineName(settings) })
  const stopped = partitions
    .filter(({ organisation, source }) => organisation === own.organisation && source !== own.source)
    .filter(({ source }) => source === name || source.startsWith(`${name}~`))
    .map(({ resume }) => Number(resume))
    .filter((resume) => resume > 0)
  return stopped.length === 0 ? 0 : Math.floor(Math.min(...stopped) / hourMs) * hourMs
}

/**
 * http://prometheus:9090/ -> prometheus:9090. Other matchers and tenants select other series, whose history is collected
 * from its beginning: namespace="shop" -> prometheus:9090#9cc8d2c7c388a578.
 */
export function engineName({
  url,
  matchers,
  tenant,
}: Pick<CollectionSettings, 'url' | 'matchers' | 'tenant'>): string {
  const { host, pathname } = new URL(url)
  const name = `${host}${pathname.replace(/\/+$/, '')}`
  const selection = tenant === '' ? matchers : `${matchers}\n${tenant}`
  return selection === '' ? name : `${name}#${hash('sha256', selection).slice(0, 16)}`
}

/** The span to query: everything since the last time or, if there was none (0), this many days. */
export function collectionSpan(doneUntilMs: number, days: number, nowMs: number) {
  const toMs = nowMs - lagMs
  return { toMs, fromMs: doneUntilMs > 0 ? doneUntilMs - overlapMs : toMs - days * 24 * hourMs }
}

/** Rejects with EngineRefused if the file does not contain a token. */
export async function collectionClient(
  { url, bearerFile, tenant }: CollectionSettings,
  signal: AbortSignal,
  warn: (message: string) => void = () => {},
): Promise<PromqlClient> {
  const headers: Record<string, string> = {}
  if (bearerFile !== '') {
    const token = (await readFile(bearerFile, 'utf8')).trim()
    // The message of fetch about an invalid header would contain the token.
    if (!/^[!-~]+$/.test(token))
      throw new EngineRefused(`${bearerFile} must contain one bearer token and nothing else`)
    headers.authorization = `Bearer ${token}`
  }
  if (tenant !== '') headers['x-scope-orgid'] = tenant
  const onUnreachable = ({ message }: Error) => warn(`${message}; trying again for 15 seconds`)
  return new PromqlClient({ url, headers }, { signal, onUnreachable })
}

/** The lease of the collection contains this name and that of the organisation, which may have 400 bytes together. */
const longestName = 250
/** Engines return samples a little after they were taken. */
export const lagMs = 60_000
/** This much is queried again, for samples that arrived late. Samples that were already accepted do not count again. */
export const overlapMs = 10 * 60_000
const leaseMs = 15_000
