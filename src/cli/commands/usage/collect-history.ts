import { setTimeout as pause } from 'node:timers/promises'
import { encodeLabels, MessageBuffer } from '../../../agent/send/message.ts'
import { Problem } from '../../../domain/problem.ts'
import { subjectKey } from '../../../domain/subject.ts'
import {
  type CollectionSettings,
  type CollectProgress,
  collectionClient,
  collectionSpan,
  engineName,
} from '../../../ingest/collect-usage.ts'
import { interpret } from '../../../ingest/metrics/interpret.ts'
import { chunkMs, collect } from '../../../ingest/promql/collect.ts'
import { type QueriedSeries, type RawSeries, runsInOrder } from '../../../ingest/promql/raw-samples.ts'
import type { ServiceClient } from '../../server.ts'

interface CollectedAnswer {
  readonly subjects: number
  readonly done_until: string | null
}

/** Sends history hour by hour, from the time until which the service has it. Samples that are sent again count once. */
export async function collectHistory(
  service: ServiceClient,
  settings: CollectionSettings,
  signal: AbortSignal,
  onProgress: (progress: CollectProgress) => void,
  warn: (message: string) => void,
): Promise<CollectProgress> {
  const collection = { cluster: settings.cluster, engine: engineName(settings) }
  const send = (body: Uint8Array, query: { until?: string; complete?: boolean }) =>
    withRetries(signal, () =>
      service.write<CollectedAnswer>('/v1/collected_usage', { ...collection, ...query }, body),
    )
  const { done_until } = await send(emptyMessage, {})
  const span = collectionSpan(done_until === null ? 0 : Date.parse(done_until), settings.days, Date.now())
  const client = await collectionClient(settings, signal, warn)
  let progress: CollectProgress = { fraction: 0, doneUntilMs: span.fromMs, samples: 0, subjects: 0 }
  for await (const piece of collect(client, { ...span, matchers: [settings.matchers] })) {
    const isComplete = piece.doneUntilMs > progress.doneUntilMs
    const untilMs = isComplete ? piece.doneUntilMs : endOfChunk(piece.doneUntilMs, span.toMs)
    const until = new Date(untilMs).toISOString()
    let { subjects } = progress
    let last: Uint8Array | undefined = isComplete ? emptyMessage : undefined
    for (const body of messagesOf(piece.series, settings.cluster)) {
      if (last !== undefined && last !== emptyMessage) await send(last, { until })
      last = body
    }
    if (last !== undefined) subjects = (await send(last, { until, complete: isComplete })).subjects
    const samples = piece.series.reduce((sum, { timesMs }) => sum + timesMs.length, progress.samples)
    progress = { fraction: piece.progress, doneUntilMs: piece.doneUntilMs, samples, subjects }
    onProgress(progress)
  }
  return progress
}

const endOfChunk = (fromMs: number, toMs: number): number =>
  Math.min(toMs, (Math.floor(fromMs / chunkMs) + 1) * chunkMs)

/** Writes remote write requests of limited size, in the order in which the samples must be digested. */
function* messagesOf(answer: readonly RawSeries[], cluster: string): Generator<Uint8Array> {
  const message = new MessageBuffer()
  let samples = 0
  for (const { member, from, to } of runsInOrder(understood(answer, cluster))) {
    const { labels, raw } = member
    message.samples(labels, raw.timesMs, raw.values, from, to)
    samples += to - from
    if (samples < maxSamples && message.length < maxMessageBytes) continue
    yield message.compressed()
    message.clear()
    samples = 0
  }
  if (samples > 0) yield message.compressed()
}

type EncodedSeries = QueriedSeries & { readonly labels: Buffer }

function* understood(answer: readonly RawSeries[], cluster: string): Generator<EncodedSeries> {
  for (const raw of answer) {
    const meaning = interpret(raw.labels, cluster)
    if (meaning === undefined) continue
    const group = 'subject' in meaning ? subjectKey(meaning.subject) : raw
    yield { raw, meaning, group, labels: encodeLabels(Object.fromEntries(raw.labels)) }
  }
}

/** Retries after temporary errors: the service is busy or restarting, or another process is collecting. */
async function withRetries<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Problem) || !temporary.has(error.code) || attempt >= attempts) throw error
      const ms = error.retryAfterSeconds === undefined ? attempt * 1000 : error.retryAfterSeconds * 1000
      await pause(Math.min(ms, 60_000), undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

const temporary = new Set([
  'overloaded',
  'rate-limited',
  'starting',
  'draining',
  'store-unavailable',
  'loading',
])
const attempts = 20
/** A remote write request without series, compressed with snappy. */
const emptyMessage = Uint8Array.of(0)
const maxSamples = 100_000
const maxMessageBytes = 4 << 20
