import { isLasting, type NodePlacement } from '../../domain/node-placement.ts'
import { parseQuantity } from '../../pricing/manifests/quantity.ts'
import { asList, asObject, asText, type Json, member } from '../../pricing/terraform/json.ts'
import type { ResourceSum } from './packing/cluster-pods.ts'
import type { PodGroup } from './packing/pods.ts'
import { hasHostAffinity, type LabelledPods, podRules } from './pod-rules.ts'

/** Pods of one owner that can run on the same nodes. Only what a scheduler reads is kept of an object. */
export interface ScheduledPods {
  /** "namespace/Kind/name". */
  readonly name: string
  readonly size: ResourceSum
  /** Whether a disruption budget lets none of them end. */
  readonly isProtected: boolean
  /** Number of pods by node; '' for those that have none. */
  readonly counts: Map<string, number>
  readonly rules: Partial<Omit<PodGroup, 'name' | 'cores' | 'gib' | 'count'>>
}

export interface ListedNode {
  readonly name: string
  readonly texts: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
  readonly placement: NodePlacement
}

export interface ListedCluster {
  readonly pods: readonly ScheduledPods[]
  readonly nodes: readonly ListedNode[]
  /** Number of pods that must be on the same host as others, which is not checked. */
  readonly withAffinity: number
}

const typeLabel = 'node.kubernetes.io/instance-type'
const zoneLabel = 'topology.kubernetes.io/zone'
const hostLabel = 'kubernetes.io/hostname'
/** Every node of a new pool has the same values of these. */
const wellKnownLabels = new Set([zoneLabel, hostLabel, 'kubernetes.io/os', 'kubernetes.io/arch'])

/** Reads pods, workloads, nodes and volumes; other objects are ignored. */
export function readClusterObjects(documents: readonly unknown[]): ListedCluster {
  const objects = documents.flatMap((document) => {
    const object = asObject(document)
    return asText(object.kind).endsWith('List') || Array.isArray(object.items)
      ? asList(object.items).map(asObject)
      : [object]
  })
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind)
  const zones = zonesOfClaims(ofKind('PersistentVolume'))
  const all = objects.flatMap((object) => {
    const owner = ownerOf(object)
    return owner === undefined
      ? []
      : [{ ...owner, object, spec: podSpecOf(object), labels: labelsOf(object) }]
  })
  // Pods that are listed count, not the workload that made them.
  const withPods = new Set(all.flatMap(({ name, object }) => (object.kind === 'Pod' ? [name] : [])))
  const owned = all.filter(({ name, object }) => object.kind === 'Pod' || !withPods.has(name))
  const owners = new Map<string, LabelledPods>()
  for (const each of owned) owners.getOrInsertComputed(each.name, () => each)
  const rules = podRules([...owners.values()], ofKind('PodDisruptionBudget'))
  const selects = owned
    .flatMap(({ spec }) => selectedLabels(spec))
    .filter(({ key }) => !wellKnownLabels.has(key))
  const nodes = ofKind('Node').map((node) => nodeOf(node, selects))
  const zoneOfNode = new Map(nodes.map(({ name, texts }) => [name, texts.zone]))
  const pods = new Map<string, ScheduledPods>()
  for (const { name, namespace, count, object, spec } of owned) {
    const node = object.kind === 'Pod' ? asText(spec.nodeName) : ''
    const { staysInZone, isProtected, ...ofOwner } = rules.get(name)!
    const zone = zoneOf(spec, namespace, zones) ?? (staysInZone ? zoneOfNode.get(node) : undefined)
    const gpus = gpusOf(spec)
    const size = sizeOf(spec)
    const known = pods.getOrInsertComputed(JSON.stringify([name, size, gpus, zone]), () => ({
      name,
      size,
      isProtected,
      counts: new Map(),
      rules: {
        gpus,
        ...ofOwner,
        ...(zone === undefined ? {} : { zone, toleratesSpot: false }),
      },
    }))
    known.counts.set(node, (known.counts.get(node) ?? 0) + count)
  }
  const withAffinity = owned.reduce((sum, { spec, count }) => sum + (hasHostAffinity(spec) ? count : 0), 0)
  return { pods: [...pods.values()], nodes, withAffinity }
}

/** Labels of the pods. */
function labelsOf(object: Json): Json {
  if (object.kind === 'Pod') return asObject(member(object, 'metadata', 'labels'))
  const job = object.kind === 'CronJob' ? member(object, 'spec', 'jobTemplate') : object
  return asObject(member(job, 'spec', 'template', 'metadata', 'labels'))
}

function ownerOf(object: Json): { name: string; namespace: string; count: number } | undefined {
  const { kind } = object
  const namespace = asText(member(object, 'metadata', 'namespace')) || 'default'
  const name = asText(member(object, 'metadata', 'name'))
  const named = (ownerKind: string, owner: string, count: number) => ({
    name: `${namespace}/${ownerKind}/${owner}`,
    namespace,
    count,
  })
  if (kind === 'Pod') {
    const phase = asText(member(object, 'status', 'phase'))
    if (phase === 'Succeeded' || phase === 'Failed') return undefined
    const owner = asObject(asList(member(object, 'metadata', 'ownerReferences'))[0])
    const [ownerKind, ownerName] = [asText(owner.kind) || 'Pod', asText(owner.name) || name]
    return ownerKind === 'ReplicaSet'
      ? named('Deployment', ownerName.replace(/-[a-z0-9]{5,10}$/, ''), 1)
      : named(ownerKind, ownerName, 1)
  }
  if (typeof kind !== 'string' || !workloadKinds.has(kind)) return undefined
  const replicas = member(object, 'spec', kind === 'Job' ? 'parallelism' : 'replicas')
  const count = Number.isSafeInteger(replicas) && (replicas as number) >= 0 ? (replicas as number) : 1
  return named(kind, name, Math.min(count, maxReplicas))
}

const workloadKinds = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Job',
  'CronJob',
  'Rollout',
])
const maxReplicas = 100_000

function podSpecOf(object: Json): Json {
  if (object.kind === 'Pod') return asObject(object.spec)
  const job = object.kind === 'CronJob' ? member(object, 'spec', 'jobTemplate') : object
  return asObject(member(job, 'spec', 'template', 'spec'))
}

/**
 * The scheduler's rule: init containers start in order, sidecars among them keep running, and the pod needs the most that
 * runs at any time. A request that is not set is the limit.
 */
function sizeOf(spec: Json): ResourceSum {
  const need = (resource: string): number => {
    let [sidecars, most] = [0, 0]
    for (const container of asList(spec.initContainers).map(asObject)) {
      const request = requestOf(container, resource)
      if (container.restartPolicy === 'Always') sidecars += request
      else most = Math.max(most, sidecars + request)
    }
    const running = asList(spec.containers)
      .map(asObject)
      .reduce((sum, container) => sum + requestOf(container, resource), sidecars)
    return Math.max(most, running) + (parseQuantity(member(spec, 'overhead', resource)) ?? 0)
  }
  return { cores: need('cpu'), gib: need('memory') / 2 ** 30 }
}

const requestOf = (container: Json, resource: string): number =>
  parseQuantity(member(container, 'resources', 'requests', resource)) ??
  parseQuantity(member(container, 'resources', 'limits', resource)) ??
  0

const gpusOf = (spec: Json): number =>
  asList(spec.containers)
    .map(asObject)
    .reduce(
      (sum, container) =>
        sum + Math.ceil(requestOf(container, 'nvidia.com/gpu') + requestOf(container, 'amd.com/gpu')),
      0,
    )

/** A label by which pods select nodes; without values, nodes with any value of it differ. */
interface SelectedLabel {
  readonly key: string
  readonly values?: readonly unknown[]
}

const selectedLabels = (spec: Json): SelectedLabel[] => [
  ...Object.entries(asObject(spec.nodeSelector)).map(([key, value]) => ({ key, values: [value] })),
  ...nodeTerms(spec)
    .flatMap((term) => asList(member(term, 'matchExpressions')).map(asObject))
    .map(({ key, operator, values }) => ({
      key: asText(key),
      ...(operator === 'In' ? { values: asList(values) } : {}),
    })),
]

const nodeTerms = (spec: Json): readonly unknown[] =>
  asList(
    member(
      spec,
      'affinity',
      'nodeAffinity',
      'requiredDuringSchedulingIgnoredDuringExecution',
      'nodeSelectorTerms',
    ),
  )

function zoneOf(spec: Json, namespace: string, zones: ReadonlyMap<string, string>): string | undefined {
  const selected = asText(asObject(spec.nodeSelector)[zoneLabel]) || onlyZoneIn(nodeTerms(spec))
  if (selected) return selected
  for (const volume of asList(spec.volumes)) {
    const claim = asText(member(volume, 'persistentVolumeClaim', 'claimName'))
    const zone = claim === '' ? undefined : zones.get(`${namespace}/${claim}`)
    if (zone !== undefined) return zone
  }
  return undefined
}

function onlyZoneIn(terms: readonly unknown[]): string | undefined {
  const values = terms.flatMap((term) =>
    asList(member(term, 'matchExpressions')).flatMap((one) =>
      /(^|[./])zone$/.test(asText(member(one, 'key'))) ? asList(member(one, 'values')).map(asText) : [],
    ),
  )
  return values.length === 1 ? values[0] : undefined
}

/** The zones of bound volumes, by namespace/claim. */
function zonesOfClaims(volumes: readonly Json[]): Map<string, string> {
  const zones = new Map<string, string>()
  for (const volume of volumes) {
    const claim = asObject(member(volume, 'spec', 'claimRef'))
    const zone = onlyZoneIn(asList(member(volume, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms')))
    if (zone !== undefined) zones.set(`${asText(claim.namespace)}/${asText(claim.name)}`, zone)
  }
  return zones
}

function nodeOf(node: Json, selects: readonly SelectedLabel[]): ListedNode {
  const labels = asObject(member(node, 'metadata', 'labels'))
  const label = (...names: readonly string[]) => names.map((name) => asText(labels[name])).find(Boolean) ?? ''
  const taints = asList(member(node, 'spec', 'taints'))
    .map(asObject)
    .map(({ key, value, effect }) => ({ key: asText(key), value: asText(value), effect: asText(effect) }))
    .filter(isLasting)
  const isSelected = ([label, value]: [string, unknown]) =>
    selects.some(({ key, values }) => key === label && (values?.includes(value) ?? true))
  const selected = Object.fromEntries(
    Object.entries(labels)
      .filter(isSelected)
      .map(([label, value]) => [label, asText(value)]),
  )
  const isSpot = Object.entries(labels).some(
    ([name, value]) =>
      /capacity-?type|spot|preemptible|priority/i.test(name) &&
      /spot|preemptible|^true$/i.test(asText(value)),
  )
  const texts = {
    instanceType: label(typeLabel, 'beta.kubernetes.io/instance-type'),
    region: label('topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'),
    zone: label(zoneLabel, 'failure-domain.beta.kubernetes.io/zone'),
    operatingSystem: label('kubernetes.io/os'),
    architecture: label('kubernetes.io/arch'),
    providerId: asText(member(node, 'spec', 'providerID')),
    capacityType: isSpot ? 'SPOT_PREEMPTIBLE' : '',
  }
  const numbers: Record<string, number> = {}
  for (const kind of ['capacity', 'allocatable'] as const)
    for (const resource of ['cpu', 'memory', 'pods']) {
      const value = parseQuantity(member(node, 'status', kind, resource))
      if (value !== undefined) numbers[`${kind}/${resource}`] = value
    }
  return {
    name: asText(member(node, 'metadata', 'name')),
    texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    numbers,
    placement: { taints, labels: selected },
  }
}
