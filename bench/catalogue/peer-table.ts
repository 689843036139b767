import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { groupOf, optionOf } from '../../src/catalogue/columns/columns.ts'
import { monthUsd } from '../../src/domain/money.ts'

/**
 * The columns of the offers in a database, as small and fast as possible: names are replaced by numbers that sort as
 * the names do; the monthly price is precomputed; `gpu` is the GPU model, or 0, for lookups; `kinds` is -1 if a type is
 * not offered unless a caller names it.
 */
export const columnNames = [
  ...['id', 'os', 'gpu', 'place', 'provider', 'type', 'option', 'term', 'zone', 'service', 'architecture'],
  ...['kinds', 'disk_rank', 'local', 'area'],
  ...['gpus', 'speed', 'disk', 'vcpus', 'ram', 'price', 'month', 'baseline'],
] as const
export const wholeNumbers = 15

/** The canonical order. `place` represents provider and region. */
export const canonical = 'price, place, type, option, term, zone, service'

/**
 * First what a question fixes, then the order of the answer, then all other conditions, so that the table itself is
 * never read.
 */
export const indexes: readonly string[] = ['', 'place, ', 'provider, ', 'option, ', 'type, '].map(
  (first) =>
    `${first}os, gpu, ${canonical}, vcpus, ram, month, architecture, gpus, baseline, provider, kinds, speed, disk, disk_rank, local, area, id`,
)

export function* peerRows({ columns, searchIndex }: Catalogue): Generator<(number | null)[]> {
  const { offers, machines, labels, slotStart, groupOs, groupType } = columns
  for (let slot = 0; slot + 1 < slotStart.length; slot++)
    for (let i = slotStart[slot]!; i < slotStart[slot + 1]!; i++) {
      const m = offers.machine[i]!
      const label = offers.label[i]!
      const place = labels.place[label]!
      const traits = searchIndex.traits.traitsOf(groupOf(slot), searchIndex.words.placeProvider[place]!)
      const cap = known(machines.monthlyCapUsd(m))
      yield [
        ...[i, groupOs[groupOf(slot)]!, machines.gpuKey(m), place, searchIndex.words.placeProvider[place]!],
        ...[groupType[groupOf(slot)]!, optionOf(slot), labels.term[label]!, labels.zone[label]!],
        ...[machines.service(m), machines.architecture(m)],
        ...[traits.isOffered ? traits.kinds : -1, traits.localDiskRank, searchIndex.localLabels[label]!],
        ...[searchIndex.areas.ofPlace[place]!, machines.gpuCount(m), traits.speed, traits.localDiskGib],
        ...[known(machines.vcpus(m)), known(machines.ramGib(m)), offers.price[i]!],
        ...[monthUsd(offers.price[i]!, cap), known(machines.baseline(m))],
      ]
    }
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)
