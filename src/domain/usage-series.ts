import type { Subject } from './subject.ts'

/** What is measured of a subject, each by one series at a time. All but memory are counters. */
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
  'memoryPeak',
  'started',
  'memoryRss',
  'memoryCache',
  'memoryMapped',
] as const
/** What is set of a subject, or known once; seeing it twice is seeing it once. */
export type SubjectSetting = (typeof subjectSettings)[number]

export type EntityKind =
  | 'node'
  | 'quota'
  | 'autoscaler'
  | 'replica-set'
  | 'job'
  | 'machine'
  | 'workload'
  | 'namespace'

/** An entity of a cluster that has facts but no usage of its own. */
export interface EntityRef {
  readonly kind: EntityKind
  readonly cluster: string
  /** '' where it belongs to none. */
  readonly namespace: string
  readonly name: string
}

/**
 * The meaning of a series, read once from its labels. Units of samples: CPU in seconds and cores, memory in bytes,
 * times in seconds since 1970.
 */
export type SeriesMeaning =
  | {
      readonly fact: 'measure'
      readonly measure: Measure
      readonly subject: Subject
      /** Hash of all labels but the name: another one of the same source is a new life of the subject. */
      readonly instance: number
      /** Hash of the labels that identify the scraper: several sources may report one subject, and one of them is used. */
      readonly source: number
      /** The greater is believed first. */
      readonly rank: number
    }
  | {
      readonly fact: 'setting'
      readonly setting: SubjectSetting
      readonly subject: Subject
      readonly init: boolean
    }
  | HeapMeaning
  | { readonly fact: 'terminated'; readonly subject: Subject; readonly reason: string }
  | {
      readonly fact: 'pod'
      readonly cluster: string
      readonly namespace: string
      readonly pod: string
      /** True of the pod while the sample is 1. */
      readonly texts: Partial<Record<'node' | 'workload', string>>
      /** Kubernetes labels by the names that Prometheus gives them, without label_. */
      readonly labels?: Readonly<Record<string, string>>
    }
  | {
      readonly fact: 'entity'
      readonly entity: EntityRef
      /** True of the entity while the sample is above 0. */
      readonly texts?: Readonly<Record<string, string>>
      /** The attribute that the sample's value is. */
      readonly number?: string
      readonly labels?: Readonly<Record<string, string>>
    }

/** A series of a Java virtual machine; its exporter knows the pod, and not always which container it is in. */
export interface HeapMeaning {
  readonly fact: 'heap'
  readonly cluster: string
  readonly namespace: string
  readonly pod: string
  /** '' where not known. */
  readonly container: string
  /** In use; left after a collection; the greatest size; left of what lives long, over all pools. */
  readonly part: 'used' | 'collected' | 'limit' | 'live'
  readonly area: 'heap' | 'nonheap'
  /** '' for the whole. */
  readonly pool: string
}
