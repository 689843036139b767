import { type Comparability, coresPerCore, isOfKind, sharedShare } from '../domain/comparability.ts'
import { hoursPerMonth } from '../domain/money.ts'
import type { Need } from '../domain/need.ts'
import { optionCount, osNames } from './columns/columns.ts'
import { optionPasses } from './search/filter.ts'
import { architecturesOf } from './search/groups.ts'
import { isUnsold, type SearchIndex } from './search/search-index.ts'

/** Why a cheaper offer that is large enough is not a candidate; the first in this order counts. */
export const leftOutReasons = [
  'other-accelerator',
  'other-kind',
  'ended-or-ending',
  'undocumented',
  'not-sold-there',
  'too-little-local-disk',
  'other-architecture',
  'too-slow',
  'cannot-sustain',
  'other-payment',
  'too-far',
  'local-zone',
] as const
type LeftOutReason = (typeof leftOutReasons)[number]

/** Reads every slot up to the first price that is too high. */
export function countLeftOut(
  searchIndex: SearchIndex,
  need: Need & { readonly comparableTo: Comparability },
  isUndocumented: (provider: string, instanceType: string) => boolean,
): Map<LeftOutReason, number> {
  const { columns, groups, words, areas, localLabels, unsold } = searchIndex
  const { slotStart, offers, machines, groupOs } = columns
  const os = osNames.indexOf(need.operatingSystem)
  const near = need.near === undefined || areas.isOne ? undefined : areas.marks(need.near)
  const search: LeftOutSearch = { searchIndex, need, architectures: architecturesOf(need), isUndocumented }
  const counts = new Map<LeftOutReason, number>()
  for (let g = 0; g < groups.count; g++) {
    if (groupOs[g] !== os) continue
    let [lastMachine, lastProvider] = [-1, -1]
    let reason: LeftOutReason | undefined
    let isLarge = false
    let capUsd = Number.POSITIVE_INFINITY
    for (let option = 0; option < optionCount; option++) {
      const isPaidSo = optionPasses(option, need)
      const slot = g * optionCount + option
      for (let i = slotStart[slot]!; i < slotStart[slot + 1]!; i++) {
        const price = offers.price[i]!
        if (price >= need.belowPerHourUsd) break
        const m = offers.machine[i]!
        const place = offers.place[i]!
        const provider = words.placeProvider[place]!
        if (m !== lastMachine || provider !== lastProvider) {
          lastMachine = m
          lastProvider = provider
          isLarge = machines.vcpus(m) >= need.vcpus && machines.ramGib(m) >= need.ramGib
          const cap = machines.monthlyCapUsd(m)
          capUsd = Number.isNaN(cap) ? Number.POSITIVE_INFINITY : cap
          reason = isLarge ? typeReason(search, g, m, provider) : undefined
        }
        if (!isLarge || Math.min(price * hoursPerMonth, capUsd) >= need.belowPerMonthUsd) continue
        const why =
          reason ??
          (isUnsold(columns, unsold.get(g)?.[place] ?? 0, i) ? 'not-sold-there' : undefined) ??
          placeReason(need, isPaidSo, near?.[place] !== 0, localLabels[offers.label[i]!] === 1)
        if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
      }
    }
  }
  return counts
}

interface LeftOutSearch {
  readonly searchIndex: SearchIndex
  readonly need: Need & { readonly comparableTo: Comparability }
  readonly architectures: number
  isUndocumented(provider: string, instanceType: string): boolean
}

/** Why a machine of a group is left out if a provider offers it; undefined if it is not because of its type. */
function typeReason(
  { searchIndex, need, architectures, isUndocumented }: LeftOutSearch,
  group: number,
  machine: number,
  provider: number,
): LeftOutReason | undefined {
  const { columns, words, traits } = searchIndex
  const { machines, groupType, types } = columns
  const { comparableTo, gpu } = need
  const candidate = traits.traitsOf(group, provider)
  const isSameGpu =
    gpu.count === 0
      ? machines.gpuCount(machine) === 0
      : machines.gpuCount(machine) >= gpu.count &&
        gpu.name !== '' &&
        machines.gpuNames[machines.gpuName(machine)]!.toLowerCase() === gpu.name.toLowerCase()
  if (!isSameGpu) return 'other-accelerator'
  if (!isOfKind(comparableTo, candidate.kinds)) return 'other-kind'
  if (!candidate.isOffered)
    return isUndocumented(words.providers[provider]!, types[groupType[group]!]!)
      ? 'undocumented'
      : 'ended-or-ending'
  if (
    candidate.localDiskGib < comparableTo.localDiskGib ||
    candidate.localDiskRank < comparableTo.localDiskRank
  )
    return 'too-little-local-disk'
  if (((architectures >> machines.architecture(machine)) & 1) === 0) return 'other-architecture'
  const factor = coresPerCore(comparableTo, candidate.speed)
  if (machines.vcpus(machine) < need.vcpus * factor) return 'too-slow'
  const baseline = machines.baseline(machine)
  const { sustainedVcpus, sustainedBurstableVcpus, sustainedSharedVcpus } = need
  const isBurstable = !Number.isNaN(baseline)
  const share = isBurstable ? baseline : candidate.isShared ? sharedShare : Number.POSITIVE_INFINITY
  const sustained = (isBurstable ? sustainedBurstableVcpus : sustainedSharedVcpus) ?? sustainedVcpus
  return machines.vcpus(machine) * share < sustained * factor ? 'cannot-sustain' : undefined
}

function placeReason({ withoutLocalZones }: Need, isPaidSo: boolean, isNear: boolean, isLocal: boolean) {
  if (!isPaidSo) return 'other-payment'
  if (!isNear) return 'too-far'
  return isLocal && withoutLocalZones ? 'local-zone' : undefined
}
