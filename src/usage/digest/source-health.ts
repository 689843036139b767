import { hourMs } from '../../domain/time.ts'
import type { EntityRef, SeriesMeaning } from '../../domain/usage-series.ts'
import { type Entity, entityKey, newEntity, setAttribute } from './entities.ts'

export interface MetricHealth {
  readonly source: SourceState
  readonly isUnlabelled: boolean
  firstMs: number
  lastMs: number
  /** Time between the last two samples of one series; 0 if unknown. */
  intervalMs: number
  /** One series of the metric, by which the interval is measured. */
  probe: object | undefined
  probeMs: number
}

interface SourceState {
  readonly ref: EntityRef
  readonly metrics: Map<string, MetricHealth>
  lastMs: number
  flushedMs: number
  unlabelledMs: number
  aheadMs: number
  /** Samples of the current hour, and those that another scraper had sent already. */
  hour: number
  samples: number
  duplicates: number
}

/** A second of difference between clocks is usual. */
const aheadFromMs = 5000
/** A series that has been silent for so long has probably ended; another one is then the probe. */
const probeTimeoutMs = 10 * 60_000
const flushEveryMs = 60_000

/**
 * Records for each cluster and machine which metrics arrive and how. It becomes an entity of the kind `source` with the
 * attributes `metric/NAME` (seconds between samples), `unlabelled`, `ahead` (seconds) and `duplicates` (percent).
 */
export class SourceHealth {
  readonly #sources = new Map<string, SourceState>()
  readonly #entities = new Map<string, Entity>()

  metricOf(metric: string, meaning: SeriesMeaning, isUnlabelled: boolean): MetricHealth {
    const ref = sourceOf(meaning)
    const source = this.#sources.getOrInsertComputed(entityKey(ref), () => newSource(ref))
    const name = isUnlabelled ? `${metric}\0` : metric
    return source.metrics.getOrInsertComputed(name, () => ({
      source,
      isUnlabelled,
      firstMs: 0,
      lastMs: 0,
      intervalMs: 0,
      probe: undefined,
      probeMs: 0,
    }))
  }

  /** Called for every sample, so it only compares and sets. */
  see(metric: MetricHealth, series: object, atMs: number, nowMs: number, isDuplicate: boolean): void {
    const { source } = metric
    if (metric.firstMs === 0 || atMs < metric.firstMs) metric.firstMs = atMs
    if (atMs > metric.lastMs) metric.lastMs = atMs
    if (metric.probe === series) {
      if (atMs > metric.probeMs) {
        metric.intervalMs = atMs - metric.probeMs
        metric.probeMs = atMs
      }
    } else if (metric.probe === undefined || atMs > metric.probeMs + probeTimeoutMs) {
      metric.probe = series
      metric.probeMs = atMs
    }
    if (atMs > source.lastMs) {
      source.lastMs = atMs
      if (atMs >= (source.hour + 1) * hourMs) startHour(source, atMs)
      if (metric.isUnlabelled) source.unlabelledMs = atMs
    }
    source.samples++
    if (isDuplicate) source.duplicates++
    if (atMs - nowMs > aheadFromMs) source.aheadMs = Math.max(source.aheadMs, atMs - nowMs)
  }

  adopt(entity: Entity): void {
    this.#entities.set(entityKey(entity.ref), entity)
  }

  evict(beforeMs: number): void {
    for (const [key, { lastMs }] of this.#sources) if (lastMs < beforeMs) this.#sources.delete(key)
    for (const [key, { lastHour }] of this.#entities)
      if (lastHour * hourMs < beforeMs && !this.#sources.has(key)) this.#entities.delete(key)
  }

  /** Writes what changed into the entities, and returns those that are to be stored. */
  flush(): Entity[] {
    const changed: Entity[] = []
    for (const [key, source] of this.#sources) {
      if (source.lastMs < source.flushedMs + flushEveryMs) continue
      source.flushedMs = source.lastMs
      const { ref, metrics } = source
      const firstMs = Math.min(...[...metrics.values()].flatMap((metric) => metric.firstMs || []))
      const first = Math.floor(firstMs / hourMs)
      const entity = this.#entities.getOrInsertComputed(key, () => newEntity(ref, first))
      entity.firstHour = Math.min(entity.firstHour, first)
      for (const [name, { lastMs, intervalMs }] of metrics)
        if (lastMs > 0)
          setAttribute(entity, `metric/${name.replace('\0', '')}`, seconds(intervalMs), seconds(lastMs))
      if (source.unlabelledMs > 0) setAttribute(entity, 'unlabelled', 1, seconds(source.unlabelledMs))
      setAttribute(entity, 'ahead', seconds(source.aheadMs), seconds(source.lastMs))
      const percent = source.samples === 0 ? 0 : (100 * source.duplicates) / source.samples
      setAttribute(entity, 'duplicates', Math.round(percent), seconds(source.lastMs))
      changed.push(entity)
    }
    return changed
  }
}

const seconds = (ms: number): number => Math.round(ms / 1000)

function startHour(source: SourceState, atMs: number): void {
  source.hour = Math.floor(atMs / hourMs)
  source.samples = 0
  source.duplicates = 0
  source.aheadMs = 0
}

const newSource = (ref: EntityRef): SourceState => ({
  ref,
  metrics: new Map(),
  lastMs: 0,
  flushedMs: 0,
  unlabelledMs: 0,
  aheadMs: 0,
  hour: 0,
  samples: 0,
  duplicates: 0,
})

function sourceOf(meaning: SeriesMeaning): EntityRef {
  const [cluster, name] = placeOf(meaning)
  return { kind: 'source', cluster, namespace: '', name }
}

function placeOf(meaning: SeriesMeaning): [cluster: string, machine: string] {
  if ('cluster' in meaning) return [meaning.cluster, '']
  if ('entity' in meaning)
    return meaning.entity.kind === 'machine' ? ['', meaning.entity.name] : [meaning.entity.cluster, '']
  const { subject } = meaning
  return subject.kind === 'process' ? ['', subject.vm] : [subject.cluster, '']
}
