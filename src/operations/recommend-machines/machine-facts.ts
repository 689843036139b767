import { type Entity, mergeEntity } from '../../usage/entities.ts'
import { decodeEntity } from '../../usage/entity-codec.ts'
import type { EntityRow } from '../../usage/port.ts'
import { gibBytes } from '../recommend-sizes/pod-usage.ts'

/** What a machine says of itself; '' and undefined where it does not. */
export interface MachineFacts {
  readonly provider: string
  readonly region: string
  readonly zone: string
  readonly instanceType: string
  readonly usageType: string
  readonly operatingSystem: string
  readonly architecture: string
  readonly cores: number | undefined
  readonly gib: number | undefined
}

export const nothingKnown: MachineFacts = {
  provider: '',
  region: '',
  zone: '',
  instanceType: '',
  usageType: '',
  operatingSystem: '',
  architecture: '',
  cores: undefined,
  gib: undefined,
}

/** By name of the machine; where several sources tell of one, the later holds. */
export function machineFacts(rows: readonly EntityRow[]): Map<string, MachineFacts> {
  const entities = new Map<string, Entity>()
  for (const { key, json } of rows) {
    const entity = decodeEntity(key, json)
    const known = entities.get(entity.ref.name)
    entities.set(entity.ref.name, known === undefined ? entity : mergeEntity(known, entity))
  }
  return new Map([...entities].map(([name, entity]) => [name, factsOf(entity)]))
}

function factsOf({ attributes }: Entity): MachineFacts {
  const text = (name: string): string => {
    const value = attributes.get(name)?.value
    return typeof value === 'string' ? value : ''
  }
  const size = (name: string): number | undefined => {
    const value = attributes.get(name)?.value
    return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined
  }
  const bytes = size('capacity/memory')
  return {
    provider: text('provider'),
    region: text('region'),
    zone: text('zone'),
    instanceType: text('instanceType'),
    usageType: text('capacityType'),
    operatingSystem: text('operatingSystem'),
    architecture: text('architecture'),
    cores: size('capacity/cpu'),
    gib: bytes === undefined ? undefined : bytes / gibBytes,
  }
}
