import { compareOffers } from '../../src/catalogue/canonical-order.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { usageCount } from '../../src/catalogue/columns.ts'
import { filterOf } from '../../src/catalogue/filter.ts'
import { hoursPerMonth } from '../../src/domain/money.ts'
import type { Need } from '../../src/domain/need.ts'

/** Offers by position, the best of the best type first: the plain way over the very same columns. */
export function scanLinearly(catalogue: Catalogue, need: Need): number[] {
  const { columns, structure } = catalogue
  const filter = filterOf(structure, need)
  if (filter === undefined) return []
  const { cellsStart, cellPlace, offersStart, offers, machines, labels, groupOs, groupType, zones } = columns
  const found = new Map<number, [cell: number, offer: number][]>()
  for (let group = 0; group < groupOs.length; group++) {
    if (groupOs[group] !== filter.os || filter.typeMarks?.[groupType[group]!] === 0) continue
    for (const usage of filter.usages)
      for (
        let c = cellsStart[group * usageCount + usage]!;
        c < cellsStart[group * usageCount + usage + 1]!;
        c++
      ) {
        if (
          filter.onlyPlace >= 0 ? cellPlace[c] !== filter.onlyPlace : filter.placeMarks?.[cellPlace[c]!] === 0
        )
          continue
        for (let i = offersStart[c]!; i < offersStart[c + 1]!; i++) {
          const price = offers.price(i)
          const m = offers.machine(i)
          const cap = machines.monthlyCapUsd(m)
          const month = cap < price * hoursPerMonth ? cap : price * hoursPerMonth
          if (!(price < filter.belowPerHourUsd && month < filter.belowPerMonthUsd)) continue
          if (!(machines.vcpus(m) >= filter.vcpus && machines.ramGib(m) >= filter.ramGib)) continue
          if (((filter.architectures >> machines.architecture(m)) & 1) === 0) continue
          if (machines.gpuKey(m) !== filter.gpu || machines.gpuCount(m) < filter.gpuCount) continue
          if (machines.vcpus(m) * machines.baseline(m) < filter.sustainedVcpus) continue
          const zone = labels.zone[offers.label(i)]!
          if (filter.zoneMarks?.[zone] === 0 && zones[zone] !== '') continue
          const of = found.get(group)
          if (of === undefined) found.set(group, [[c, i]])
          else of.push([c, i])
        }
      }
  }
  const before = (a: [number, number], b: [number, number]) => compareOffers(columns, ...a, columns, ...b)
  const best = [...found.values()].map((of) => of.sort(before).slice(0, need.offersPerType))
  best.sort((a, b) => before(a[0]!, b[0]!))
  return best.slice(0, need.limit).flatMap((of) => of.map(([, offer]) => offer))
}
