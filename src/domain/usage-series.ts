import type { Subject } from './subject.ts'

/** What is measured of a subject; each measure comes from one series at a time. All but memory are counters. */
export const measures = [
  'cpu',
  'memory',
  'throttled',
  'periods',
  'throttledPeriods',
  'oom',
  'restarts',
  'cpuUser',
  'cpuSystem',
] as const
export type Measure = (typeof measures)[number]

const subjectSettings = [
  'cpuRequest',
  'cpuLimit',
  'memoryRequest',
  'memoryLimit',
  'gpuRequest',
  'memoryPeak',
  'started',
  'memoryRss',
  'memoryCache',
  'memoryMapped',
] as const
/** What is configured for a subject, or a fact that does not accumulate: receiving it twice has no further effect. */
export type SubjectSetting = (typeof subjectSettings)[number]

/**
 * Resources of nodes and containers that are GPUs, as kube-state-metrics writes their names. A device plugin that divides
 * GPUs counts the parts under the same name or under one of its own.
 */
export const gpuResources = ['nvidia_com_gpu', 'nvidia_com_gpu_shared', 'amd_com_gpu'] as const

/**
 * Claims of volumes, volumes, load balancers and what pods sent. What is reported of one on a day is an entity of its own, whose
 * name ends in the day: see dailyName.
 */
export const dailyKinds = ['claim', 'volume', 'load-balancer', 'network'] as const
export type DailyKind = (typeof dailyKinds)[number]
export const isDaily = (kind: EntityKind): kind is DailyKind => dailyKinds.some((daily) => daily === kind)

export type EntityKind =
  | 'node'
  | 'quota'
  | 'autoscaler'
  | 'replica-set'
  | 'job'
  | 'machine'
  | 'workload'
  | 'namespace'
  | 'source'
  | DailyKind

/** An entity of a cluster that has facts but no usage of its own. */
export interface EntityRef {
  readonly kind: EntityKind
  readonly cluster: string
  /** '' if it does not belong to a namespace. */
  readonly namespace: string
  readonly name: string
}

/** Units of samples: CPU in seconds and cores, memory in bytes, times in seconds since 1970. */
export type SeriesMeaning =
  | {
      readonly fact: 'measure'
      readonly measure: Measure
      readonly subject: Subject
      /**
       * Hash of all labels but the name and those of the scraper. If it changes within one source, the subject was
       * restarted; if two sources have the same, they scrape the same counter.
       */
      readonly instance: number
      /** Hash of the labels that identify the scraper: several sources may report one subject, and one of them is used. */
      readonly source: number
      /** A source with a greater rank takes precedence. */
      readonly rank: number
    }
  | {
      readonly fact: 'setting'
      readonly setting: SubjectSetting
      readonly subject: Subject
      readonly init: boolean
    }
  | HeapMeaning
  | {
      readonly fact: 'text'
      readonly subject: Subject
      readonly name: 'terminatedReason' | 'image'
      readonly text: string
    }
  | {
      readonly fact: 'pod'
      readonly cluster: string
      readonly namespace: string
      readonly pod: string
      /** Whether the sample is the time at which the pod ended. */
      readonly isEnd?: boolean
      /** Texts that apply to the pod while the sample is 1. */
      readonly texts: Partial<Record<'node' | 'workload', string>>
      /** Kubernetes labels by the names that Prometheus gives them, without label_. */
      readonly labels?: Readonly<Record<string, string>>
    }
  | {
      readonly fact: 'entity'
      readonly entity: EntityRef
      /** Texts that apply to the entity while the sample is above 0. */
      readonly texts?: Readonly<Record<string, string>>
      /** Name of the attribute whose value is the sample. */
      readonly number?: string
      readonly labels?: Readonly<Record<string, string>>
    }

/** A series of a Java virtual machine. Its exporter knows the pod, but not always the container. */
export interface HeapMeaning {
  readonly fact: 'heap'
  readonly cluster: string
  readonly namespace: string
  readonly pod: string
  /** '' if unknown. */
  readonly container: string
  /**
   * used: in use; collected: left after a garbage collection; limit: the maximum size; live: long-lived data left after a
   * collection, over all pools.
   */
  readonly part: 'used' | 'collected' | 'limit' | 'live'
  readonly area: 'heap' | 'nonheap'
  /** '' for the whole area. */
  readonly pool: string
}
