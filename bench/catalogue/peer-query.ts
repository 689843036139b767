import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { architectureNames } from '../../src/catalogue/columns/columns.ts'
import { buildFilter } from '../../src/catalogue/search/filter.ts'
import type { Need } from '../../src/domain/need.ts'

/**
 * A question is either one statement that ranks all offers that pass, or, if these are many, a walk along an index by
 * price that stops after enough types, as an expert would write it.
 */
export type Way = 'one statement' | 'walked by hand'

/** The conditions of a question in SQL, with a `?` for each parameter. */
export interface Where {
  readonly text: string
  readonly parameters: readonly number[]
  /** Whether so few offers pass that sorting all of them is faster than walking them by price. */
  readonly isNarrow: boolean
}

/** Returns undefined if no offer can pass. */
export function whereOf(catalogue: Catalogue, need: Need): Where | undefined {
  const { columns, searchIndex } = catalogue
  const filter = buildFilter(searchIndex, need)
  if (filter === undefined) return undefined
  const terms: string[] = []
  const parameters: number[] = []
  const add = (term: string, ...values: readonly number[]) => {
    terms.push(term)
    parameters.push(...values)
  }
  const addIn = (column: string, ids: readonly number[]) =>
    ids.length === 1
      ? add(`${column} = ?`, ids[0]!)
      : add(`${column} IN (${ids.map(() => '?').join(', ')})`, ...ids)
  add('os = ?', filter.os)
  add('gpu = ?', filter.gpu)
  if (filter.gpu > 0) add('gpus >= ?', filter.gpuCount)
  add('price < ?', filter.belowPerHourUsd)
  add('month < ?', filter.belowPerMonthUsd)
  const { comparableTo } = filter
  const speed = comparableTo?.speed ?? 0
  const factor = 'CASE WHEN speed > 0 AND 10 * speed <= 9 * ? THEN ? / speed ELSE 1 END'
  if (speed > 0) add(`vcpus >= ? * ${factor}`, filter.vcpus, speed, speed)
  else add('vcpus >= ?', filter.vcpus)
  if (comparableTo !== undefined && filter.types === undefined) {
    add('kinds = ?', comparableTo.kinds)
    if (comparableTo.localDiskRank > 0) add('disk_rank >= ?', comparableTo.localDiskRank)
    if (comparableTo.localDiskGib > 0) add('disk >= ?', comparableTo.localDiskGib)
  }
  if (need.withoutLocalZones) add('local = 0')
  if (need.near !== undefined && searchIndex.areas.only(need.near) > 0)
    add('area = ?', searchIndex.areas.only(need.near))
  add('ram >= ?', filter.ramGib)
  if (speed > 0)
    add(
      `(baseline IS NULL OR vcpus * baseline >= ? * ${factor})`,
      filter.sustainedBurstableVcpus,
      speed,
      speed,
    )
  else add('(baseline IS NULL OR vcpus * baseline >= ?)', filter.sustainedBurstableVcpus)
  if (need.architectures !== undefined)
    addIn(
      'architecture',
      [...new Set(['' as const, ...need.architectures])].map((a) => architectureNames.indexOf(a)),
    )
  const { providers, regions, availabilityZones } = need.predicates
  if (providers !== undefined && filter.places !== undefined)
    addIn('provider', [...new Set(filter.places.map((p) => searchIndex.words.placeProvider[p]!))])
  if ((regions ?? availabilityZones) !== undefined && filter.places !== undefined)
    addIn('place', filter.places)
  if (filter.zoneMarks !== undefined)
    addIn(
      'zone',
      [...columns.zones.keys()].filter((z) => filter.zoneMarks![z] === 1 || columns.zones[z] === ''),
    )
  if (filter.options.length < searchIndex.groups.options.length) addIn('option', filter.options)
  if (filter.types !== undefined) addIn('type', filter.types)
  const isNarrow = filter.types !== undefined || (filter.places?.length ?? Infinity) <= 4
  return { text: terms.join(' AND '), parameters, isNarrow }
}
