import { cpuQuantity, memoryQuantity } from '../../domain/quantity.ts'
import { plural } from '../../domain/text.ts'
import { boundsOf, type SizeConstraints } from '../constraints/sizing-rules.ts'
import type { PublicPolicy } from '../estimators/public-policies.ts'
import type { Resource } from '../input.ts'
import { shareAbove } from '../risk/share-above.ts'
import { publicPolicyOf, type SizeReading } from '../risk/size-reading.ts'
import type { ResourceEvidence } from '../sizing-evidence.ts'
import type { Band, Figures, RecommendationStep, SizingPreference } from '../workload.ts'

/** A band that is still being adjusted, and every step that led to it. */
export class DraftBand implements Band {
  target = Number.NaN
  lower = Number.NaN
  upper = Number.NaN
  /**
   * A current request between these two is kept, because nearly the same risk asks for it. NaN if a public policy
   * decides.
   */
  keptFrom = Number.NaN
  keptTo = Number.NaN
  /** A rule forbids the current request, so it changes however little the change is worth. */
  mustChange = false
  /** The least that guard rails allow, which only rules of the organisation override. */
  railed = 0
  covering = 0
  readonly steps: RecommendationStep[] = []

  addStep(by: string, says: string, figures: Figures = {}): void {
    this.steps.push({ by, says, value: Number.isNaN(this.target) ? null : this.target, figures })
  }

  raise(floor: number): void {
    this.target = Math.max(this.target, floor)
    this.lower = Math.max(this.lower, Math.min(floor, this.target))
    this.upper = Math.max(this.upper, this.target)
    this.keptFrom = Math.max(this.keptFrom, floor)
  }

  lowerTo(ceiling: number): void {
    this.target = Math.min(this.target, ceiling)
    this.lower = Math.min(this.lower, this.target)
    this.keptTo = Math.min(this.keptTo, ceiling)
  }
}

/** The bounds are the requests two levels looser and two levels stricter. */
const boundLevels = 2
/** A current request is kept if it lies between the requests one level looser and one level stricter. */
const keptLevels = 1

export function draftBand(
  draft: DraftBand,
  resource: Resource,
  usage: ResourceEvidence,
  reading: SizeReading,
): void {
  const { together: all, busiest, age } = usage
  const { preference } = reading
  const policy = publicPolicyOf(preference)
  const [together, alone] = [
    reading.preferredSize(all),
    busiest === undefined ? 0 : reading.preferredSize(busiest),
  ]
  const at = (levels: number): number =>
    Math.max(reading.sizeAt(all, levels), busiest === undefined ? 0 : reading.sizeAt(busiest, levels))
  const target = Math.max(together, alone)
  const young = 1 / Math.max(1, age)
  draft.target = together
  const above = shareAbove(usage, together)
  draft.addStep(
    deciderOf(preference),
    `${resourceNames[resource]}: ${usageText(resource, usage)}; ${sizeText(resource, together)} ${wordsOf(preference, policy)}: ${aboveText(above)}${policy === undefined ? tailText(resource, usage, together) : ''}.`,
    { p99: usage.p99, peak: usage.peak14, days: Math.min(age, 14), above },
  )
  draft.target = target
  draft.lower = Math.min(target, at(-boundLevels) / (1 + young / 2))
  draft.upper = Math.max(target, at(boundLevels) * (1 + young))
  if (policy === undefined) {
    draft.keptFrom = at(-keptLevels)
    draft.keptTo = at(keptLevels)
  }
  if (alone > together)
    draft.addStep(
      'busiest replica',
      `${resourceNames[resource]}: one replica is always busier than the others, so the request is sized for that one: ${sizeText(resource, alone)}.`,
      { together, alone },
    )
}

/** Returns text such as "p99 0.21 cores, peak 0.34 cores in 14 days". */
function usageText(resource: Resource, { p99, peak14, age, reachHours }: ResourceEvidence): string {
  const period = historyText(Math.min(age, 14), reachHours)
  return `p99 ${amountText(resource, p99)}, peak ${amountText(resource, peak14)} in ${period}`
}

const aboveText = (share: number): string =>
  share > 0 ? `${percentText(share)} of the time above` : 'no usage above'

/** Far above p99 lies a size only if rare usage does. */
const farAbove = 1.25

const tailText = (resource: Resource, { p99, p995 }: ResourceEvidence, size: number): string =>
  size > farAbove * p99 && p995 > farAbove * p99
    ? `, more than p99, because p99.5 is ${amountText(resource, p995)} and recent days count more`
    : ''

export const deciderOf = (preference: SizingPreference): string =>
  publicPolicyOf(preference)?.name ?? (isRisk(preference) ? 'risk' : (preference.profile ?? 'balanced'))

function wordsOf(preference: SizingPreference, policy: PublicPolicy | undefined): string {
  if (policy !== undefined) return `with the public policy ${policy.name}`
  const { risk, shortfall, profile = 'balanced' } = preference
  const parts = [
    ...(risk === undefined ? [] : [`a risk of ${percentText(risk)}`]),
    ...(shortfall === undefined ? [] : [`a shortfall of ${percentText(shortfall)}`]),
  ]
  return isRisk(preference) ? `at ${parts.join(' and ')}` : `with the ${profile} profile`
}

const isRisk = ({ risk = -1, shortfall = -1 }: SizingPreference): boolean => risk >= 0 || shortfall >= 0

/**
 * An autoscaler that keeps usage at a share of the request adds replicas when the request falls below usage / share,
 * and removes replicas when the request rises, which makes the remaining ones busier and the next recommendation
 * larger. So the request may only fall, and not below usage / share. Usage 0.1, share 0.5, request 1 -> not below 0.2.
 */
export function keepUtilisation(
  draft: DraftBand,
  resource: Resource,
  usage: number,
  share: number | undefined,
  current: number | undefined,
): void {
  if (share === undefined || !(share > 0)) return
  const before = draft.target
  const needed = usage / share
  draft.raise(Math.min(needed, current ?? needed))
  if (current !== undefined) draft.lowerTo(current)
  if (draft.target === before) return
  const what = draft.target === current ? 'left as it is' : 'kept high enough'
  const why =
    draft.target < before ? 'a larger one would remove replicas' : 'a smaller one would add replicas'
  draft.addStep(
    'autoscaler',
    `${resourceNames[resource]}: an autoscaler keeps usage at ${percentText(share)} of the request, so the request is ${what}: ${why}.`,
    { utilisation: share, usage },
  )
}

interface Drafts {
  readonly cpu: DraftBand | null
  readonly memory: DraftBand | null
}

/** Applies minimums first, then the ratio, which only raises sizes, and maximums last. */
export function applyConstraints(drafts: Drafts, constraints: SizeConstraints): void {
  for (const resource of ['cpu', 'memory'] as const) {
    const draft = drafts[resource]
    if (draft !== null && constraints.qos === 'guaranteed') coverPeak(draft, resource)
    if (draft !== null) keepMinimum(draft, resource, boundsOf(constraints, resource).least)
  }
  if (drafts.cpu !== null && drafts.memory !== null) keepRatio(drafts.cpu, drafts.memory, constraints)
  for (const resource of ['cpu', 'memory'] as const) {
    const draft = drafts[resource]
    if (draft !== null) keepMaximum(draft, resource, boundsOf(constraints, resource).most)
  }
}

/** Whether a rule forbids the current request. Such a request must change, however little the change is worth. */
export function isOutside(
  constraints: SizeConstraints,
  resource: Resource,
  request: number | undefined,
): boolean {
  const { least, most } = boundsOf(constraints, resource)
  return request !== undefined && (request < least || request > most)
}

export function breaksRatio({ cpuMemoryRatio }: SizeConstraints, cores: number, gib: number): boolean {
  if (cpuMemoryRatio === undefined) return false
  const { least, most } = cpuMemoryRatio
  return gib < least * cores * (1 - roundingError) || gib > most * cores * (1 + roundingError)
}

const roundingError = 1e-9

/** A limit that equals the request must not throttle or kill at a usage that was observed. */
function coverPeak(draft: DraftBand, resource: Resource): void {
  if (!(draft.target < draft.covering)) return
  draft.raise(draft.covering)
  draft.addStep(
    'qos',
    `${resourceNames[resource]}: raised to ${sizeText(resource, draft.target)}, 15% above the highest usage, because qos=guaranteed sets a limit that equals the request.`,
  )
}

function keepMinimum(draft: DraftBand, resource: Resource, least: number): void {
  if (!(draft.target < least)) return
  draft.raise(least)
  draft.addStep(
    `min_${resource}`,
    `${resourceNames[resource]}: raised to ${sizeText(resource, least)}, the minimum set by min_${resource}.`,
  )
}

function keepMaximum(draft: DraftBand, resource: Resource, most: number): void {
  if (!(draft.target > most)) return
  const asked = sizeText(resource, draft.target)
  const overrides = most < draft.railed ? ', which a guard rail requires' : ''
  draft.lowerTo(most)
  draft.upper = Math.min(draft.upper, most)
  draft.addStep(
    `max_${resource}`,
    `${resourceNames[resource]}: capped at ${sizeText(resource, most)}, the maximum set by max_${resource}; without it, ${asked}${overrides}.`,
  )
}

function keepRatio(cpu: DraftBand, memory: DraftBand, { cpuMemoryRatio }: SizeConstraints): void {
  if (cpuMemoryRatio === undefined) return
  const { least, most } = cpuMemoryRatio
  if (memory.target < least * cpu.target) {
    memory.raise(least * cpu.target)
    memory.addStep(
      'cpu_memory_ratio',
      `Memory: raised to ${sizeText('memory', memory.target)}, because cpu_memory_ratio requires at least ${gibText(least)} for each core.`,
    )
  } else if (memory.target > most * cpu.target) {
    cpu.raise(memory.target / most)
    cpu.addStep(
      'cpu_memory_ratio',
      `CPU: raised to ${sizeText('cpu', cpu.target)}, because cpu_memory_ratio allows at most ${gibText(most)} of memory for each core.`,
    )
  }
}

export const percentText = (share: number): string => `${Number((share * 100).toPrecision(2))}%`
/** A size, as patches have it; whole cores have a unit. */
export function sizeText(resource: Resource, value: number): string {
  if (resource === 'memory') return memoryQuantity(value)
  const quantity = cpuQuantity(value)
  return quantity.endsWith('m') ? quantity : plural(Number(quantity), 'core')
}
export const coresText = (value: number): string => `${Number(value.toPrecision(3))} cores`
export const gibText = (value: number): string => `${Number(value.toPrecision(3))} GiB`
const amountText = (resource: Resource, value: number): string =>
  (resource === 'cpu' ? coresText : gibText)(value)
export const resourceNames = { cpu: 'CPU', memory: 'Memory' } as const satisfies Record<Resource, string>
export const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`)
/** Returns text such as '2 days'; anything shorter than a day is given in hours. */
export const historyText = (days: number, hours: number): string =>
  hours < 24
    ? plural(Math.max(1, Math.floor(hours)), 'hour')
    : plural(Math.min(days, Math.ceil(hours / 24)), 'day')
