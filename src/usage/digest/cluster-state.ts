import { kindOfWorkload, type NamespaceRef, nameOfWorkload } from '../../domain/subject.ts'
import { daySeconds, hourSeconds } from '../../domain/time.ts'
import {
  type EntityRef,
  type HeapMeaning,
  isDaily,
  type SeriesMeaning,
  type SubjectSetting,
} from '../../domain/usage-series.ts'
import type { Digest, TextRegister } from './digest.ts'
import { gibBytes, setText } from './digest.ts'
import {
  dailyName,
  type Entity,
  encodeInitRequests,
  entityKey,
  initRequestsAttribute,
  labelAttribute,
  maxInitContainers,
  mergeEntity,
  newEntity,
  setAttribute,
} from './entities.ts'
import { hasEnded, hourOf, podKey, type SubjectUsage, secondOf } from './subject-usage.ts'

/** Facts about pods and other objects of a cluster that are not usage itself. */
export class ClusterState {
  readonly entities = new Map<string, Entity>()
  readonly changedEntities = new Set<Entity>()
  readonly #pods = new Map<string, Pod>()
  readonly #keptLabels: ReadonlySet<string>

  /** `keptLabels` are names of labels as Prometheus writes them. */
  constructor(keptLabels: ReadonlySet<string> = new Set()) {
    this.#keptLabels = keptLabels
  }

  /** Returns the meaning without labels that are not kept. It stays in memory as long as its series is active. */
  withKeptLabels(meaning: SeriesMeaning): SeriesMeaning {
    if (!('labels' in meaning) || meaning.labels === undefined) return meaning
    const kept = Object.entries(meaning.labels).filter(([name]) => this.#keptLabels.has(name))
    return { ...meaning, labels: Object.fromEntries(kept) }
  }

  addContainer(usage: SubjectUsage): void {
    this.#pod(usage.podKey).containers.add(usage)
  }

  removeContainer(usage: SubjectUsage): void {
    const pod = this.#pods.get(usage.podKey)
    pod?.containers.delete(usage)
    if (pod?.containers.size === 0) this.#pods.delete(usage.podKey)
  }

  containersOf(pod: { cluster: string; namespace: string; pod: string }): Iterable<SubjectUsage> {
    return this.#pods.get(podKey(pod.cluster, pod.namespace, pod.pod))?.containers ?? []
  }

  containerOf(meaning: HeapMeaning): SubjectUsage | undefined {
    const { container } = meaning
    const containers = [...this.containersOf(meaning)]
    if (container === '' && containers.length !== 1) return undefined
    for (const usage of containers)
      if (container === '' || (usage.subject.kind === 'container' && usage.subject.container === container))
        return usage
    return undefined
  }

  takePod(
    meaning: SeriesMeaning & { fact: 'pod' },
    atMs: number,
    value: number,
    digestAt: (usage: SubjectUsage, hour: number) => Digest,
  ): 'accepted' {
    if (value !== 1) return 'accepted'
    const pod = this.#pod(podKey(meaning.cluster, meaning.namespace, meaning.pod))
    const hour = hourOf(atMs)
    const texts = pod.hours.get(hour) ?? {}
    if (!pod.hours.has(hour)) {
      pod.hours.set(hour, texts)
      for (const old of pod.hours.keys()) if (old < hour - podHoursKept) pod.hours.delete(old)
    }
    for (const [name, text] of Object.entries(meaning.texts) as [PodText, string][]) {
      const at = secondOf(atMs)
      const before = texts[name]
      if (before === undefined || at > before.at || (at === before.at && text > before.text))
        texts[name] = { at, text }
    }
    if (meaning.labels !== undefined) {
      // Labels are written with the digests of the pod, when its workload is known.
      const labels = new Map([...(pod.labels?.labels ?? []), ...attributesOf(meaning.labels)])
      pod.labels = { at: secondOf(atMs), labels: [...labels] }
      return 'accepted'
    }
    for (const usage of pod.containers)
      if (!hasEnded(usage, atMs)) {
        this.describe(usage, digestAt(usage, hour))
        usage.version++
      }
    return 'accepted'
  }

  /** An init container ends before it is sampled, so its requests are stored with the workload of its pod. */
  takeInitRequest({ subject, podKey: key }: SubjectUsage, setting: SubjectSetting, value: number): void {
    const name = setting === 'cpuRequest' ? 'cores' : setting === 'memoryRequest' ? 'gib' : undefined
    if (name === undefined || subject.kind !== 'container') return
    const pod = this.#pod(key)
    pod.initRequests ??= new Map()
    const requests = pod.initRequests.get(subject.container) ?? { cores: 0, gib: 0 }
    if (pod.initRequests.size < maxInitContainers) pod.initRequests.set(subject.container, requests)
    requests[name] = name === 'gib' ? value / gibBytes : value
  }

  takeEntity(meaning: SeriesMeaning & { fact: 'entity' }, atMs: number, value: number): 'accepted' {
    const attributes: [string, string | number][] = value > 0 ? Object.entries(meaning.texts ?? {}) : []
    if (meaning.number !== undefined) attributes.push([meaning.number, value])
    if (meaning.entity.kind === 'network') attributes.push(...this.#sentBy(meaning.entity, atMs, value))
    if (meaning.labels !== undefined && value > 0) attributes.push(...attributesOf(meaning.labels))
    if (attributes.length > 0 || meaning.labels === undefined)
      this.#setAttributes(entityAt(meaning.entity, secondOf(atMs)), attributes, secondOf(atMs))
    return 'accepted'
  }

  /** What a pod sent on a day follows from the least and the greatest value of its counter. */
  *#sentBy(
    { cluster, namespace, name }: EntityRef,
    atMs: number,
    bytes: number,
  ): Iterable<[string, string | number]> {
    yield ['min/bytes', bytes]
    yield ['max/bytes', bytes]
    const hours = this.#pods.get(podKey(cluster, namespace, name))?.hours
    const workload = (hours?.get(hourOf(atMs)) ?? hours?.get(hourOf(atMs) - 1))?.workload?.text
    if (workload !== undefined) yield ['workload', this.#owner({ cluster, namespace }, workload)]
  }

  #setAttributes(ref: EntityRef, attributes: Iterable<readonly [string, string | number]>, at: number): void {
    const key = entityKey(ref)
    let entity = this.entities.get(key)
    if (entity === undefined) {
      entity = newEntity(ref, Math.floor(at / hourSeconds))
      this.entities.set(key, entity)
      this.changedEntities.add(entity)
    }
    for (const [name, what] of attributes)
      if (setAttribute(entity, name, what, at)) this.changedEntities.add(entity)
  }

  evict(newestHour: number): void {
    for (const [key, pod] of this.#pods)
      if (pod.containers.size === 0 && Math.max(...pod.hours.keys()) < newestHour - podHoursKept)
        this.#pods.delete(key)
    for (const [key, entity] of this.entities)
      if (entity.lastHour < newestHour - entityHoursKept && !this.changedEntities.has(entity))
        this.entities.delete(key)
  }

  adoptEntity(entity: Entity): void {
    const known = this.entities.get(entityKey(entity.ref))
    if (known) mergeEntity(known, entity)
    else this.entities.set(entityKey(entity.ref), entity)
  }

  /** Writes the node and workload that are known for the pod in that hour into a container's digest. */
  describe(usage: SubjectUsage, digest: Digest): void {
    const pod = this.#pods.get(usage.podKey)
    const texts = pod?.hours.get(digest.hour)
    if (texts?.node) setText(digest, 'node', texts.node.text, texts.node.at)
    if (texts?.workload === undefined) return
    if (usage.subject.kind !== 'container') return
    const { cluster, namespace } = usage.subject
    const workload = this.#owner(usage.subject, texts.workload.text)
    setText(digest, 'workload', workload, texts.workload.at)
    const ref = { kind: 'workload', cluster, namespace, name: workload } as const
    if (pod?.labels !== undefined && pod.labels.labels.length > 0)
      this.#setAttributes(ref, pod.labels.labels, pod.labels.at)
    if (pod?.initRequests !== undefined)
      this.#setAttributes(
        ref,
        [[initRequestsAttribute, encodeInitRequests(pod.initRequests)]],
        texts.workload.at,
      )
  }

  /** Returns the Deployment of a ReplicaSet or the CronJob of a Job, or the workload itself if no owner is known. */
  #owner({ cluster, namespace }: NamespaceRef, workload: string): string {
    const kind = intermediateKinds.get(kindOfWorkload(workload))
    if (kind === undefined) return workload
    const name = nameOfWorkload(workload)
    const owner = this.entities.get(entityKey({ kind, cluster, namespace, name }))?.attributes.get('owner')
    return owner === undefined ? workload : String(owner.value)
  }

  #pod(key: string): Pod {
    let pod = this.#pods.get(key)
    if (pod === undefined) {
      pod = { containers: new Set(), hours: new Map() }
      this.#pods.set(key, pod)
    }
    return pod
  }
}

const entityAt = (ref: EntityRef, at: number): EntityRef =>
  isDaily(ref.kind) ? { ...ref, name: dailyName(ref.name, Math.floor(at / daySeconds)) } : ref

const attributesOf = (labels: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(labels).map(([name, value]) => [labelAttribute(name), value])

const intermediateKinds: ReadonlyMap<string, 'replica-set' | 'job'> = new Map([
  ['ReplicaSet', 'replica-set'],
  ['Job', 'job'],
] as const)

type PodText = 'node' | 'workload'

interface Pod {
  readonly containers: Set<SubjectUsage>
  readonly hours: Map<number, Partial<Record<PodText, TextRegister>>>
  initRequests?: Map<string, { cores: number; gib: number }>
  /** Labels of the pod, which become attributes of its workload. */
  labels?: { readonly at: number; readonly labels: readonly (readonly [string, string])[] }
}

const podHoursKept = 2
const entityHoursKept = 48
