import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { compareOffers, groupOf, optionOf } from '../../src/catalogue/columns/columns.ts'
import { buildFilter } from '../../src/catalogue/search/filter.ts'
import { coresPerCore, isComparable, sharedShare } from '../../src/domain/comparability.ts'
import { hoursPerMonth } from '../../src/domain/money.ts'
import type { Need } from '../../src/domain/need.ts'

/** Returns positions of offers, the best offer of the best type first: a plain scan over the same columns. */
export function scanLinearly(catalogue: Catalogue, need: Need): number[] {
  const { columns, searchIndex } = catalogue
  const filter = buildFilter(searchIndex, need)
  if (filter === undefined) return []
  const { slotStart, offers, machines, labels, groupOs, groupType, zones } = columns
  const found = new Map<number, [slot: number, offer: number][]>()
  for (let slot = 0; slot + 1 < slotStart.length; slot++) {
    const group = groupOf(slot)
    if (groupOs[group] !== filter.os || !filter.options.includes(optionOf(slot))) continue
    if (filter.types?.includes(groupType[group]!) === false) continue
    for (let i = slotStart[slot]!; i < slotStart[slot + 1]!; i++) {
      const price = offers.price[i]!
      const m = offers.machine[i]!
      const cap = machines.monthlyCapUsd(m)
      const month = cap < price * hoursPerMonth ? cap : price * hoursPerMonth
      if (!(price < filter.belowPerHourUsd && month < filter.belowPerMonthUsd)) continue
      const label = offers.label[i]!
      const traits = searchIndex.traits.traitsOf(
        group,
        searchIndex.words.placeProvider[labels.place[label]!]!,
      )
      if (filter.comparableTo && !filter.types && !isComparable(filter.comparableTo, traits)) continue
      const factor = filter.comparableTo ? coresPerCore(filter.comparableTo, traits.speed) : 1
      if (!(machines.vcpus(m) >= filter.vcpus * factor && machines.ramGib(m) >= filter.ramGib)) continue
      if (filter.excludedLabels?.[label] === 1) continue
      if (((filter.architectures >> machines.architecture(m)) & 1) === 0) continue
      if (machines.gpuKey(m) !== filter.gpu || machines.gpuCount(m) < filter.gpuCount) continue
      const baseline = machines.baseline(m)
      if (machines.vcpus(m) * baseline < filter.sustainedBurstableVcpus * factor) continue
      const isShared = Number.isNaN(baseline) && traits.isShared
      if (isShared && machines.vcpus(m) * sharedShare < filter.sustainedSharedVcpus * factor) continue
      if (filter.onlyPlace >= 0 && labels.place[label] !== filter.onlyPlace) continue
      if (filter.placeMarks?.[labels.place[label]!] === 0) continue
      if (filter.zoneMarks?.[labels.zone[label]!] === 0 && zones[labels.zone[label]!] !== '') continue
      const of = found.get(group)
      if (of === undefined) found.set(group, [[slot, i]])
      else of.push([slot, i])
    }
  }
  const before = (a: [number, number], b: [number, number]) => compareOffers(columns, ...a, columns, ...b)
  const best = [...found.values()].map((of) => of.sort(before).slice(0, need.offersPerType))
  best.sort((a, b) => before(a[0]!, b[0]!))
  return best.slice(0, need.limit).flatMap((of) => of.map(([, offer]) => offer))
}
