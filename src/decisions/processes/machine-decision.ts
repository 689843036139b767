import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { StoredDecision } from '../../store/port-decisions.ts'
import { decodeValue, encodeValue } from '../decision-codec.ts'
import type { Amount, SizeBand } from './size-process.ts'

export interface MachineDecision {
  /** Days since 1970. */
  readonly day: number
  /** Milliseconds since 1970. */
  readonly decidedAt: number
  /** It was decided when somebody asked, and not when the day was over. */
  readonly late: boolean
  /** Hours in which the machine was seen in the usage that it was made from. */
  readonly seenHours: number
  readonly sizes: ReadonlyMap<string, SizeBand>
}

/** The name of the one decision of a machine and day. */
export const wholeMachine = ''

/** Takes 10 to 30 bytes a process. Sizes are kept in microcores and KiB: one that equals its bounds as two numbers, else as six. */
export function encodeMachineDecision({ day, sizes, ...rest }: MachineDecision): StoredDecision {
  const processes = [...sizes].map(([key, { target, lower, upper }]) => [
    key,
    ...(isSame(target, lower) && isSame(target, upper) ? [target] : [target, lower, upper]).flatMap(steps),
  ])
  return { name: wholeMachine, day, bytes: zstdCompressSync(encodeValue({ ...rest, sizes: processes })) }
}

export function decodeMachineDecision({ day, bytes }: StoredDecision): MachineDecision | undefined {
  const read = decodeValue(zstdDecompressSync(bytes, { maxOutputLength }))
  if (read === undefined) return undefined
  const { sizes, ...rest } = read as Omit<MachineDecision, 'day' | 'sizes'> & { sizes: StoredSizes }
  return { day, ...rest, sizes: new Map(sizes.map(([key, ...numbers]) => [key, bandOf(numbers)])) }
}

type StoredSizes = readonly (readonly [key: string, ...numbers: number[]])[]

const maxOutputLength = 256 << 20

const isSame = (one: Amount, other: Amount): boolean => one.cores === other.cores && one.gib === other.gib

const steps = ({ cores, gib }: Amount): number[] => [Math.round(cores * 1e6), Math.round(gib * 2 ** 20)]

function bandOf(numbers: readonly number[]): SizeBand {
  const at = (index: number): Amount => ({ cores: numbers[index]! / 1e6, gib: numbers[index + 1]! / 2 ** 20 })
  const target = at(0)
  return numbers.length === 2
    ? { target, lower: target, upper: target }
    : { target, lower: at(2), upper: at(4) }
}
