import { type Change, changePhrase } from '../../../domain/machine-description.ts'
import { round } from '../../../domain/money.ts'
import { savingSentence } from '../../../pricing/answer/commitment-texts.ts'
import type { ComparisonOption } from '../../../pricing/compare/schema.ts'
import type { ReportedMachine } from '../../../pricing/reported-machine.ts'
import type { RehostTarget, VmSummary } from '../../machines/schema.ts'
import type { Recommendation, SubjectSize } from '../schema.ts'
import { figure } from './container-row.ts'
import { noSize, type RecommendationRow, recommendationId } from './recommendation-row.ts'

export const idleMachineId = (vm: string): string => recommendationId('idle', vm)
export const machineRecommendationId = (vm: string): string => recommendationId('machine', vm)

/**
 * Recommends a cheaper machine in the same region, otherwise a cheaper one nearby, and the removal of an idle machine.
 */
export function machineRows(summary: VmSummary, current: SubjectSize): RecommendationRow[] {
  const { vm, rehost } = summary
  if (rehost === undefined) return []
  const { priceSource, priceDate } = rehost
  const shared: SharedMembers = {
    cluster: null,
    namespace: null,
    workload: null,
    container: null,
    init: false,
    machine: vm,
    cost_per_month: rehost.currentCostPerMonth,
    confidence: rehost.confidence,
    replicas: null,
    findings: [],
    current,
    price_sources: [priceSource],
    price_date: priceDate,
    is_estimate: priceSource === 'base',
  }
  const removal = removalOf(summary, rehost, shared)
  const replacement = replacementOf(vm, rehost, shared)
  const isCommitted = rehost.commitments !== undefined
  const rowOf = (recommendation: Recommendation | undefined, coveredBy: string | null) =>
    recommendation === undefined
      ? []
      : [{ recommendation, worth: recommendation.worth_per_month, coveredBy, isCommitted }]
  return [...rowOf(removal, null), ...rowOf(replacement, removal?.id ?? null)]
}

type SharedMembers = Omit<
  Recommendation,
  | ('id' | 'kind' | 'title' | 'worth_per_month')
  | ('risk' | 'effort' | 'recommended' | 'idle_days' | 'reasons')
>
type KnownRehost = NonNullable<VmSummary['rehost']>

function removalOf(
  { vm, idle = false, measuredHours = 0 }: VmSummary,
  rehost: KnownRehost,
  shared: SharedMembers,
): Recommendation | undefined {
  const { cost_per_month: cost } = shared
  if (!idle || cost === null || cost <= 0) return undefined
  const days = Math.floor(measuredHours / 24)
  return {
    ...shared,
    id: idleMachineId(vm),
    kind: 'idle',
    title: `Remove the machine ${vm}: idle for ${days} ${days === 1 ? 'day' : 'days'}`,
    worth_per_month: cost,
    risk: 'high',
    effort: 'low',
    recommended: null,
    idle_days: days,
    reasons: [
      'In 95% of hours its processes used less than 3% of its cores, and on average less than a quarter of its memory.',
      'Make sure that it is not a standby before you remove it.',
      ...rehost.notes,
    ],
  }
}

function replacementOf(vm: string, rehost: KnownRehost, shared: SharedMembers): Recommendation | undefined {
  const target = cheaper(rehost.sameRegion) ?? cheaper(rehost.anywhere)
  if (target === undefined) return undefined
  const { cpuCores, ramGb } = rehost.needed
  const type = shared.current?.instance_type ?? null
  return {
    ...shared,
    id: machineRecommendationId(vm),
    kind: 'machine',
    title: `Replace ${vm}${type === null ? '' : ` (${type})`} with ${target.instanceType} of ${target.provider} in ${target.region}`,
    worth_per_month: target.savingsPerMonth,
    risk: rehost.confidence < 0.5 ? 'high' : 'medium',
    effort: target === rehost.sameRegion ? 'medium' : 'high',
    recommended: targetSize(target),
    idle_days: null,
    reasons: [
      `It needs ${figure(cpuCores.recommended)} cores and ${figure(ramGb.recommended)} GiB, with headroom and memory for the operating system.`,
      target.commitments === undefined
        ? `${target.instanceType} costs $${target.costPerHour} an hour instead of $${rehost.currentCostPerHour}.`
        : savingSentence(target.commitments),
      ...caveats(rehost.options, target),
      ...rehost.notes,
    ],
  }
}

const saidAlready: ReadonlySet<string> = new Set(['provider', 'region', 'payment', 'term'] satisfies Change[])

function caveats(options: readonly ComparisonOption[], target: RehostTarget): string[] {
  const offer = options
    .flatMap(({ offers }) => offers)
    .find(
      (one) =>
        one.instance_type === target.instanceType &&
        one.region === target.region &&
        one.availability_zone === target.availabilityZone &&
        one.usage_type === target.usageType,
    )
  if (offer === undefined) return []
  const { machine, price } = offer
  const changes = (machine.changes ?? []).filter((change) => !saidAlready.has(change)).map(changePhrase)
  return [
    ...(changes.length === 0 ? [] : [`What changes: ${changes.join(', ')}.`]),
    ...(machine.changes?.includes('burstable-vcpus')
      ? [
          'Its vCPUs sustain the mean usage of the machine and use CPU credits for more: choose another type if the machine is busy for hours.',
        ]
      : []),
    ...((price.age_days ?? 0) > 365
      ? [`Its price is from ${price.day}, over a year ago: ask the provider before you act on it.`]
      : []),
  ]
}

const cheaper = (target: RehostTarget | null): (RehostTarget & { savingsPerMonth: number }) | undefined =>
  target !== null && (target.savingsPerMonth ?? 0) > 0
    ? (target as RehostTarget & { savingsPerMonth: number })
    : undefined

/** A machine reports its provider by key; the size has the display name, like that of a recommended machine. */
export const machineSize = (
  facts: ReportedMachine,
  displayName: (provider: string) => string,
): SubjectSize => ({
  ...noSize,
  cpu_cores: facts.cores ?? null,
  memory_gib: facts.gib === undefined ? null : round(facts.gib, 6),
  provider: facts.provider === '' ? null : displayName(facts.provider),
  region: facts.region || null,
  instance_type: facts.instanceType || null,
})

const targetSize = (target: RehostTarget): SubjectSize => ({
  ...noSize,
  cpu_cores: target.cpuCores,
  memory_gib: target.ramGb,
  provider: target.provider,
  region: target.region,
  instance_type: target.instanceType,
})
