import { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import { DigestCursor } from '../digest/cursor.ts'
import {
  counterNames,
  type NumberRegister,
  type NumberRegisters,
  numberNames,
  type TextRegister,
  type TextRegisters,
  textNames,
} from '../digest/digest.ts'
import { type DistributionConsumer, DistributionSkipper } from '../distribution/read-distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'
import type { WindowSummary } from './merge-window.case.ts'

/**
 * Sums up packs of digests of one subject directly from their bytes: the result of mergeWindow without the hours, many times
 * faster. Packs come in order of time, and no hour is in two of them.
 */
export class WindowSum {
  readonly #cursor = new DigestCursor()
  readonly #cpu = new DistributionSum()
  readonly #memory = new DistributionSum()
  readonly #counters = counterNames.map(() => 0)
  readonly #numbers: (NumberRegister | undefined)[] = []
  readonly #texts: (TextRegister | undefined)[] = []
  #oomKills = 0
  #memoryPeakBytes = 0
  #samples = 0
  #firstAt = 0
  #lastAt = 0
  #startedAt = 0
  #init = false
  hours = 0

  add(bytes: Uint8Array, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): void {
    const cursor = this.#cursor
    cursor.open(new ByteReader(bytes))
    const cpu = new WindowFilter(this.#cpu, cursor, from, to)
    const memory = new WindowFilter(this.#memory, cursor, from, to)
    while (cursor.next(cpu, memory)) if (cursor.hour >= from && cursor.hour < to) this.#take(cursor)
  }

  total(): WindowSummary {
    const named = <Name extends string, Value>(names: readonly Name[], values: readonly Value[]) =>
      Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<Name, Value>
    return {
      ...named(counterNames, this.#counters),
      ...(named(numberNames, this.#numbers) as NumberRegisters),
      ...(named(textNames, this.#texts) as TextRegisters),
      cpu: this.#cpu.total(),
      memory: this.#memory.total(),
      oomKills: this.#oomKills,
      memoryPeakBytes: this.#memoryPeakBytes,
      samples: this.#samples,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      startedAt: this.#startedAt,
      init: this.#init,
    }
  }

  #take(cursor: DigestCursor): void {
    const { counters, numbers, texts, startSecond } = cursor
    this.hours++
    for (let index = 0; index < counters.length; index++) this.#counters[index]! += counters[index]!
    for (let index = 0; index < numbers.length; index++) {
      const register = numbers[index]
      if (register === undefined) continue
      const before = this.#numbers[index]
      const max = Math.max(register.max, before?.max ?? 0)
      if (before?.last === register.last && before.max === max && before.at === startSecond + register.at)
        continue
      this.#numbers[index] = { at: startSecond + register.at, last: register.last, max }
    }
    for (let index = 0; index < texts.length; index++) {
      const register = texts[index]
      if (register !== undefined) this.#texts[index] = { at: startSecond + register.at, text: register.text }
    }
    const killed = texts[reasonIndex]?.text === 'OOMKilled' ? counters[restartsIndex]! : 0
    this.#oomKills += Math.max(counters[oomIndex]!, killed)
    this.#memoryPeakBytes = Math.max(this.#memoryPeakBytes, cursor.memoryPeakBytes)
    this.#startedAt = Math.max(this.#startedAt, cursor.startedAt)
    this.#init ||= cursor.init
    if (cursor.samples === 0) return
    this.#samples += cursor.samples
    this.#firstAt ||= startSecond + cursor.first
    this.#lastAt = Math.max(this.#lastAt, startSecond + cursor.last)
  }
}

/** Passes the distributions of hours in the window on, and skips the others. */
class WindowFilter implements DistributionConsumer {
  readonly #into: DistributionSum
  readonly #cursor: DigestCursor
  readonly #from: number
  readonly #to: number

  constructor(into: DistributionSum, cursor: DigestCursor, from: number, to: number) {
    this.#into = into
    this.#cursor = cursor
    this.#from = from
    this.#to = to
  }

  addFrom(reader: ByteReader): void {
    const { hour } = this.#cursor
    if (hour >= this.#from && hour < this.#to) this.#into.addFrom(reader)
    else skipper.addFrom(reader)
  }
}

const skipper = new DistributionSkipper()

const reasonIndex = textNames.indexOf('terminatedReason')
const restartsIndex = counterNames.indexOf('restarts')
const oomIndex = counterNames.indexOf('oomEvents')
