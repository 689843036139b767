import { subjectKey } from '../../domain/subject.ts'
import { hourMs } from '../../domain/time.ts'
import type { HeapMeaning, SeriesMeaning } from '../../domain/usage-series.ts'
import { ClusterState } from './cluster-state.ts'
import type { Digest } from './digest.ts'
import { setNumber, setText } from './digest.ts'
import { HeapPools } from './heap-pools.ts'
import { recordEnd, recordMeasure, recordStart } from './measure.ts'
import { kibOf, mergedMark } from './memory-marks.ts'
import { type MetricHealth, SourceHealth } from './source-health.ts'
import {
  digestAt,
  hasEnded,
  hourOf,
  newSubjectUsage,
  type SampleOutcome,
  type SubjectUsage,
  sampleOutcomes,
  secondOf,
} from './subject-usage.ts'

interface AccumulatorLimits {
  /** Samples older than this when they arrive are rejected. State is kept longer, so that no sample counts twice. */
  readonly maxAgeMs: number
  readonly maxAheadMs: number
  readonly maxSubjects: number
  /** Kubernetes labels to keep; see ClusterState. */
  readonly keptLabels?: ReadonlySet<string>
}

/** A series as the accumulator knows it: what to do with its samples. */
export interface Series {
  readonly meaning: SeriesMeaning
  /** Set for measures, settings and terminations. */
  readonly usage: SubjectUsage | undefined
  readonly health?: MetricHealth
}

/**
 * Turns samples into open hourly digests. The same samples in the same order per series give the same digests, whether they
 * were pushed or queried and however they were batched. Only the two age limits depend on a clock: `nowMs` is the time at
 * which the batch arrived.
 */
export class Accumulator {
  readonly subjects = new Map<string, SubjectUsage>()
  readonly facts: ClusterState
  readonly sources = new SourceHealth()
  readonly counts: Record<SampleOutcome, number>
  resets = 0
  gaps = 0
  newestMs = 0
  readonly #limits: AccumulatorLimits
  readonly #heaps = new WeakMap<Digest, HeapPools>()
  #parts = 0

  constructor(limits: AccumulatorLimits) {
    this.#limits = limits
    this.facts = new ClusterState(limits.keptLabels)
    this.counts = Object.fromEntries(sampleOutcomes.map((outcome) => [outcome, 0])) as Record<
      SampleOutcome,
      number
    >
  }

  /** Returns undefined and changes nothing if there would be too many subjects. */
  register(meaning: SeriesMeaning): Series | undefined {
    if (meaning.fact === 'pod' || meaning.fact === 'entity' || meaning.fact === 'heap')
      return { meaning: this.facts.withKeptLabels(meaning), usage: undefined }
    const key = subjectKey(meaning.subject)
    let usage = this.subjects.get(key)
    if (usage === undefined) {
      if (this.subjects.size >= this.#limits.maxSubjects) return undefined
      usage = this.adopt(newSubjectUsage(key, meaning.subject))
    }
    // Names are decoded for each series; all series of a subject share the names of the first.
    return { meaning: { ...meaning, subject: usage.subject }, usage }
  }

  adopt(usage: SubjectUsage): SubjectUsage {
    this.subjects.set(usage.key, usage)
    usage.evicted = false
    if (usage.podKey !== '') this.facts.addContainer(usage)
    this.newestMs = Math.max(this.newestMs, usage.newestMs)
    return usage
  }

  sample(series: Series, atMs: number, value: number, nowMs: number): void {
    const outcome = this.#take(series, atMs, value, nowMs)
    this.counts[outcome]++
    const { health } = series
    if (health !== undefined && !isRefused(outcome))
      this.sources.see(health, series, atMs, nowMs, outcome === 'other_source')
  }

  #take({ meaning, usage: registered }: Series, atMs: number, value: number, nowMs: number): SampleOutcome {
    if (!Number.isFinite(value)) return 'not_finite'
    if (atMs > nowMs + this.#limits.maxAheadMs) return 'in_the_future'
    if (atMs < nowMs - this.#limits.maxAgeMs || atMs < 0) return 'too_old'
    // A pool without a limit reports -1.
    if (value < 0) return meaning.fact === 'heap' ? 'accepted' : 'negative'
    if (atMs > this.newestMs) this.newestMs = atMs
    const usage = registered?.evicted ? this.#restore(registered) : registered
    if (usage !== undefined) usage.touchedMs = Math.max(usage.touchedMs, atMs)
    if (meaning.fact === 'measure') return recordMeasure(this, usage!, meaning, atMs, value)
    if (meaning.fact === 'entity') return this.facts.takeEntity(meaning, atMs, value)
    if (meaning.fact === 'pod' && meaning.isEnd) {
      for (const usage of this.facts.containersOf(meaning)) recordEnd(this, usage, Math.round(value * 1000))
      return 'accepted'
    }
    if (meaning.fact === 'pod')
      return this.facts.takePod(meaning, atMs, value, (usage, hour) => this.digestAt(usage, hour))
    if (meaning.fact === 'heap') return this.#takeHeap(meaning, atMs, value)
    return this.#takeSetting(usage!, meaning, atMs, value)
  }

  /** In a pod of several containers, the exporter must name the container. */
  #takeHeap(meaning: HeapMeaning, atMs: number, value: number): SampleOutcome {
    const usage = this.facts.containerOf(meaning)
    if (usage === undefined || hasEnded(usage, atMs)) return 'accepted'
    if (value > maxSetting) return 'absurd'
    const digest = this.digestAt(usage, hourOf(atMs))
    usage.version++
    this.#heaps.getOrInsertComputed(digest, () => new HeapPools()).record(digest, meaning, atMs, value)
    return 'accepted'
  }

  /** Another series may have registered the subject again in the meantime; its state is then used. */
  #restore(evicted: SubjectUsage): SubjectUsage {
    return this.subjects.get(evicted.key) ?? this.adopt(evicted)
  }

  #takeSetting(
    usage: SubjectUsage,
    meaning: SeriesMeaning & { fact: 'setting' | 'text' },
    atMs: number,
    value: number,
  ): SampleOutcome {
    if (hasEnded(usage, atMs)) return 'accepted'
    const digest = this.digestAt(usage, hourOf(atMs))
    const at = secondOf(atMs)
    usage.version++
    if (meaning.fact === 'text') {
      if (value > 0) setText(digest, meaning.name, meaning.text, at)
      return 'accepted'
    }
    if (meaning.init) {
      digest.init = true
      this.facts.takeInitRequest(usage, meaning.setting, value)
    }
    const whole = Math.round(value * (meaning.setting.startsWith('cpu') ? 1e6 : 1))
    if (whole > maxSetting) return 'absurd'
    if (meaning.setting === 'cpuRequest') setNumber(digest, 'cpuRequestMicrocores', whole, at)
    else if (meaning.setting === 'cpuLimit') setNumber(digest, 'cpuLimitMicrocores', whole, at)
    else if (meaning.setting === 'memoryRequest') setNumber(digest, 'memoryRequestBytes', whole, at)
    else if (meaning.setting === 'memoryLimit') setNumber(digest, 'memoryLimitBytes', whole, at)
    else if (meaning.setting === 'gpuRequest') setNumber(digest, 'gpuRequest', whole, at)
    else if (meaning.setting === 'memoryPeak')
      digest.memoryPeakBytes = Math.max(digest.memoryPeakBytes, whole)
    else if (meaning.setting in marks) {
      const name = marks[meaning.setting as keyof typeof marks]
      digest[name] = mergedMark(name, digest[name], kibOf(whole))
    } else {
      digest.startedAt = Math.max(digest.startedAt, whole)
      recordStart(this, usage, Math.round(value * 1000), atMs)
    }
    return 'accepted'
  }

  /** Removes subjects without samples for so long that any sample would be rejected as too old; returns their keys. */
  evict(): string[] {
    const before = this.newestMs - this.#limits.maxAgeMs - this.#limits.maxAheadMs - hourMs
    const evicted: string[] = []
    for (const usage of this.subjects.values())
      if (usage.touchedMs < before && usage.version === usage.committedVersion) {
        usage.evicted = true
        this.subjects.delete(usage.key)
        this.facts.removeContainer(usage)
        evicted.push(usage.key)
      }
    this.facts.evict(hourOf(this.newestMs))
    this.sources.evict(before)
    return evicted
  }

  digestAt(usage: SubjectUsage, hour: number): Digest {
    return digestAt(usage, hour, () => ++this.#parts)
  }
}

/** A sample that counts for nothing, whoever sent it. */
const isRefused = (outcome: SampleOutcome): boolean =>
  outcome === 'not_finite' || outcome === 'in_the_future' || outcome === 'too_old'

const marks = { memoryRss: 'rssHighKib', memoryCache: 'cacheLowKib', memoryMapped: 'mappedHighKib' } as const

/** A larger limit is not a real limit: an unlimited cgroup reports 2^63 - 4096. */
const maxSetting = 2 ** 50
