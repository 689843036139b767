import type { PricingDeps } from '../market.ts'
import type { CommitmentKind, RunningKind } from './commitment.ts'

export interface CommitmentScope {
  readonly provider: string
  readonly kind: CommitmentKind
  /** Absent if it covers all regions and families. */
  readonly region?: string
  readonly family?: string
  covers(kind: RunningKind): boolean
}

/** Returns for each provider everything, then each group of types that one commitment of its own can cover. */
export function scopesOf(
  { findProvider }: Pick<PricingDeps, 'findProvider'>,
  kinds: readonly RunningKind[],
): CommitmentScope[] {
  const scopes = new Map<string, CommitmentScope>()
  for (const { provider, region, ...kind } of kinds) {
    const rules = findProvider(provider)?.commitments
    scopes.getOrInsertComputed(provider, () => ({
      provider,
      kind: 'savings_plan',
      covers: (other) => other.provider === provider,
    }))
    const familyOf = (of: Pick<RunningKind, 'family' | 'flexible' | 'instanceType'>): string =>
      rules?.hasFamilyPlans || rules?.hasCommittedUse ? of.family : (of.flexible?.group ?? of.instanceType)
    const family = familyOf(kind)
    if (family === '') continue
    const narrow = rules?.hasCommittedUse ? 'committed_use' : 'reserved_instance'
    scopes.getOrInsertComputed([provider, region, family].join('\n'), () => ({
      provider,
      kind: rules?.hasFamilyPlans ? 'savings_plan' : narrow,
      region,
      family,
      covers: (other) => other.provider === provider && other.region === region && familyOf(other) === family,
    }))
  }
  return [...scopes.values()]
}
