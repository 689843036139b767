import { asList, asObject, asText, type Json, member } from '../../pricing/terraform/json.ts'
import type { PodGroup } from './packing/pods.ts'

/** Pods of one owner, with what rules about other pods compare. */
export interface LabelledPods {
  /** "namespace/Kind/name". */
  readonly name: string
  readonly namespace: string
  readonly labels: Json
  readonly spec: Json
}

const zoneLabels: readonly unknown[] = [
  'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/zone',
]
const hostLabel = 'kubernetes.io/hostname'
const required = 'requiredDuringSchedulingIgnoredDuringExecution'

/** Where the pods of an owner can run with respect to each other and to those of other owners. */
export type PodRules = Pick<
  PodGroup,
  'perNode' | 'hostSkew' | 'isSpreadOverZones' | 'apart' | 'toleratesSpot'
> & {
  /** Whether the pods must stay in the zones where they are, because others must be there too. */
  readonly staysInZone: boolean
  /** Whether a disruption budget lets none of them end. */
  readonly isProtected: boolean
}

/** Rules that are not kept: affinity to other pods on the same host. */
export const hasHostAffinity = (spec: Json): boolean =>
  affinityTerms(spec, 'podAffinity').some(({ topologyKey }) => topologyKey === hostLabel)

/** Returns the rules of each owner, by name. */
export function podRules(
  owners: readonly LabelledPods[],
  budgets: readonly Json[],
): ReadonlyMap<string, PodRules> {
  const apart = new Map(owners.map(({ name }) => [name, new Set<string>()]))
  const staying = new Set<string>()
  for (const owner of owners) {
    for (const term of affinityTerms(owner.spec, 'podAntiAffinity'))
      if (term.topologyKey === hostLabel)
        for (const other of selectedBy(term, owner, owners)) {
          apart.get(owner.name)!.add(other.name)
          apart.get(other.name)!.add(owner.name)
        }
    for (const term of affinityTerms(owner.spec, 'podAffinity'))
      if (zoneLabels.includes(term.topologyKey))
        for (const { name } of [owner, ...selectedBy(term, owner, owners)]) staying.add(name)
  }
  return new Map(
    owners.map((owner) => {
      const others = apart.get(owner.name)!
      const isAlone = others.delete(owner.name)
      const spread = spreadOf(owner.spec)
      const ofBudget = isProtected(owner, budgets)
      const rules = {
        ...(isAlone ? { perNode: 1 } : {}),
        ...(spread.hostSkew === undefined ? {} : { hostSkew: spread.hostSkew }),
        ...(spread.isOverZones || isOnePerZone(owner) ? { isSpreadOverZones: true } : {}),
        ...(others.size > 0 ? { apart: others } : {}),
        ...(ofBudget || hasLocalVolume(owner.spec) || spread.hostSkew !== undefined
          ? { toleratesSpot: false }
          : {}),
        staysInZone: staying.has(owner.name),
        isProtected: ofBudget,
      }
      return [owner.name, rules]
    }),
  )
}

const affinityTerms = (spec: Json, kind: 'podAffinity' | 'podAntiAffinity'): Json[] =>
  asList(member(spec, 'affinity', kind, required)).map(asObject)

/** The owners that a term of affinity selects. */
function selectedBy(term: Json, { namespace }: LabelledPods, owners: readonly LabelledPods[]) {
  const named = asList(term.namespaces).map(asText)
  const isIn = (name: string): boolean =>
    term.namespaceSelector === undefined
      ? named.length === 0
        ? name === namespace
        : named.includes(name)
      : true
  return owners.filter((owner) => isIn(owner.namespace) && matches(term.labelSelector, owner.labels))
}

/** An absent selector matches nothing, an empty one everything. */
function matches(selector: unknown, labels: Json): boolean {
  if (selector === undefined || selector === null) return false
  const isEqual = ([key, value]: [string, unknown]) => labels[key] === value
  return (
    Object.entries(asObject(member(selector, 'matchLabels'))).every(isEqual) &&
    asList(member(selector, 'matchExpressions'))
      .map(asObject)
      .every(({ key, operator, values }) => {
        const value = labels[asText(key)]
        if (operator === 'Exists') return value !== undefined
        if (operator === 'DoesNotExist') return value === undefined
        return asList(values).includes(value) === (operator === 'In')
      })
  )
}

function spreadOf(spec: Json): { hostSkew: number | undefined; isOverZones: boolean } {
  const kept = asList(spec.topologySpreadConstraints)
    .map(asObject)
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway')
  const skews = kept
    .filter(({ topologyKey }) => topologyKey === hostLabel)
    .map(({ maxSkew }) => (typeof maxSkew === 'number' && maxSkew >= 1 ? Math.floor(maxSkew) : 1))
  return {
    hostSkew: skews.length === 0 ? undefined : Math.min(...skews),
    isOverZones: kept.some(({ topologyKey }) => zoneLabels.includes(topologyKey)),
  }
}

const isOnePerZone = (owner: LabelledPods): boolean =>
  affinityTerms(owner.spec, 'podAntiAffinity').some(
    (term) => zoneLabels.includes(term.topologyKey) && matches(term.labelSelector, owner.labels),
  )

/** Whether a disruption budget lets no pod end. */
const isProtected = ({ namespace, labels }: LabelledPods, budgets: readonly Json[]): boolean =>
  budgets.some((budget) => {
    if ((asText(member(budget, 'metadata', 'namespace')) || 'default') !== namespace) return false
    const spec = asObject(budget.spec)
    const isZero =
      member(budget, 'status', 'disruptionsAllowed') === 0 ||
      spec.maxUnavailable === 0 ||
      spec.maxUnavailable === '0%' ||
      spec.minAvailable === '100%'
    return isZero && matches(spec.selector, labels)
  })

const hasLocalVolume = (spec: Json): boolean =>
  asList(spec.volumes).some((volume) => member(volume, 'hostPath') !== undefined)
