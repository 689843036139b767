import type { Offer, UsageType } from '../../domain/offer.ts'
import { applyRules, isValidOn, matchesOffer, type PriceRule } from './price-rule.ts'

/** A Karpenter object that changes the prices which Karpenter compares. karpenter.sh/docs/concepts/nodeoverlays */
export interface NodeOverlay {
  readonly apiVersion: 'karpenter.sh/v1alpha1'
  readonly kind: 'NodeOverlay'
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> }
  readonly spec: {
    readonly weight: number
    readonly requirements: readonly OverlayRequirement[]
    readonly priceAdjustment?: string
    readonly price?: string
  }
}

interface OverlayRequirement {
  readonly key: string
  readonly operator: 'In'
  readonly values: readonly string[]
}

const capacityTypes: readonly (readonly [UsageType, string])[] = [
  ['ONDEMAND', 'on-demand'],
  ['SPOT_PREEMPTIBLE', 'spot'],
]

/**
 * Returns the rules for one region as overlays. Overlays do not stack, so each has the combined result of all rules that
 * match its instance types, and no two match the same type. `offers` are the listed prices of the region, for Linux.
 */
export function nodeOverlays(
  rules: readonly PriceRule[],
  offers: readonly Offer[],
  day: string,
): NodeOverlay[] {
  const groups = new Map<string, OverlayGroup>()
  const seen = new Set<string>()
  for (const [usageType, capacityType] of capacityTypes)
    for (const offer of offers) {
      const subject = `${capacityType} ${offer.instanceType}`
      // A type with a price in each zone is in one overlay only: two that match it would conflict.
      if (offer.usageType !== usageType || seen.has(subject)) continue
      seen.add(subject)
      const change = changeOf(rules, offer, day)
      if (change === undefined) continue
      const key = JSON.stringify([capacityType, change.spec])
      const group = groups.getOrInsertComputed(key, () => ({
        ...change,
        capacityType,
        types: new Set<string>(),
      }))
      group.types.add(offer.instanceType)
    }
  return [...groups.values()].map(({ names, spec, capacityType, types }, index) => ({
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: {
      name: `cheapside-${capacityType}-${index + 1}`,
      annotations: { 'cheapside/price-rules': names.join(', ') },
    },
    spec: {
      weight: 10,
      requirements: [
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [...types].sort() },
      ],
      ...spec,
    },
  }))
}

interface OverlayChange {
  readonly names: readonly string[]
  readonly spec: Pick<NodeOverlay['spec'], 'price' | 'priceAdjustment'>
}

interface OverlayGroup extends OverlayChange {
  readonly capacityType: string
  readonly types: Set<string>
}

/** A percentage or an amount if all rules are alike, which then also holds for prices that are newer than the list. */
function changeOf(rules: readonly PriceRule[], offer: Offer, day: string): OverlayChange | undefined {
  const { rules: names, pricePerHourUsd } = applyRules(rules, offer, day)
  if (names.length === 0) return undefined
  const changes = rules
    .filter((rule) => isValidOn(rule, day) && matchesOffer(rule, offer))
    .map(({ change }) => change)
  if (changes.every(({ kind }) => kind === 'percent')) {
    const ratio = changes.reduce(
      (left, change) => left * (change.kind === 'percent' ? 1 - change.percentOff / 100 : 1),
      1,
    )
    return { names, spec: { priceAdjustment: `${signed(100 * (ratio - 1))}%` } }
  }
  if (changes.every(({ kind }) => kind === 'add') && pricePerHourUsd > 0) {
    const sum = changes.reduce((total, change) => total + (change.kind === 'add' ? change.perHourUsd : 0), 0)
    return { names, spec: { priceAdjustment: signed(sum) } }
  }
  return { names, spec: { price: plain(pricePerHourUsd) } }
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${plain(Math.abs(value))}`

/** Six decimals at most, never 1e-7. */
const plain = (value: number): string => value.toFixed(6).replace(/\.?0+$/, '')
