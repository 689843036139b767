import { type ProcessSubject, subjectOfKey } from '../../../domain/subject.ts'
import { compareUtf8 } from '../../../domain/text.ts'
import { hourMs } from '../../../domain/time.ts'
import { Yielder } from '../../../runtime/yielder.ts'
import type { DigestQuery, StoredSubject } from '../../../usage/port.ts'
import { hourlyHours, PodReader } from '../../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../../usage/reading/pod-usage.ts'
import type { SizedMachine } from './machine.ts'
import { MachineHours } from './machine-hours.ts'
import { readProcess } from './read-process.ts'
import type { ProcessAdvisor, ReadingDeps } from './reading-deps.ts'
import { draftProcess, type ProcessDraft, sizeMachine } from './size-machine.ts'

export interface ReadMachine {
  readonly machine: SizedMachine
  /** Whether no machine follows; undefined if that is known only after reading on. */
  readonly isLast: boolean | undefined
}

/** Reads machines one after the other, ordered by name. It reads only as much as is requested. */
export class MachineReader {
  readonly #deps: ReadingDeps
  readonly #organisation: string
  readonly #hours: HourRange
  readonly #reader = new PodReader()
  readonly #yielder = new Yielder()
  readonly #now: number
  /** Hour before which usage ends. */
  readonly #atHour: number
  #subjects: AsyncIterator<StoredSubject> | undefined
  /** The first process of the next machine. */
  #ahead: StoredSubject | undefined
  #at = ''

  constructor(deps: ReadingDeps, organisation: string, hours: HourRange) {
    this.#deps = deps
    this.#organisation = organisation
    this.#hours = hours
    this.#now = deps.now()
    this.#atHour = Math.min(hours.to, Math.floor(this.#now / hourMs) + 1)
  }

  /** Returns the first machine whose name sorts after this one, or undefined after the last. */
  async after(name: string, advise: ProcessAdvisor): Promise<ReadMachine | undefined> {
    if (this.#subjects === undefined || this.#at !== name) await this.#begin({}, name)
    for (;;) {
      const first = this.#ahead ?? (await this.#next())
      this.#ahead = undefined
      if (first === undefined) return undefined
      const { vm } = processOf(first)
      if (compareUtf8(vm, name) <= 0) continue
      this.#at = vm
      const machine = await this.#read(vm, first, advise)
      if (machine !== undefined) return { machine, isLast: this.#isLast() }
    }
  }

  /** Returns the machine of this name, or undefined if it has no usage. */
  async named(vm: string, advise: ProcessAdvisor): Promise<ReadMachine | undefined> {
    await this.#begin({ vm }, undefined)
    const first = await this.#next()
    const machine = first && (await this.#read(vm, first, advise))
    await this.close()
    return machine && { machine, isLast: true }
  }

  async close(): Promise<void> {
    await this.#subjects?.return?.()
    this.#subjects = undefined
    this.#ahead = undefined
  }

  /** The rows that follow may contain only hours of these days outside the window. */
  #isLast(): boolean | undefined {
    if (this.#ahead === undefined) return true
    return this.#reader.readHourlyUse(this.#ahead, this.#hours) === undefined ? undefined : false
  }

  async #begin(only: { vm?: string }, after: string | undefined): Promise<void> {
    await this.close()
    const { from, to } = this.#hours
    const query: DigestQuery = {
      kind: 'process',
      ...only,
      fromHour: from,
      toHour: to,
      summariesBefore: this.#atHour - hourlyHours,
      ...(after === undefined || after === '' ? {} : { after: lastKeyOf(after) }),
    }
    this.#subjects = this.#deps.store.usage.digests(this.#organisation, query)[Symbol.asyncIterator]()
  }

  async #next(): Promise<StoredSubject | undefined> {
    const { value, done } = await this.#subjects!.next()
    return done ? undefined : value
  }

  async #read(vm: string, first: StoredSubject, advise: ProcessAdvisor): Promise<SizedMachine | undefined> {
    const hours = new MachineHours()
    const processes: ProcessDraft[] = []
    const atHour = this.#atHour
    let stored: StoredSubject | undefined = first
    for (; stored !== undefined; stored = await this.#next()) {
      const subject = processOf(stored)
      if (subject.vm !== vm) break
      const reading = readProcess(this.#reader, stored, subject, this.#hours, atHour, hours)
      if (reading !== undefined) processes.push(draftProcess(advise, reading, atHour))
      if (this.#yielder.isDue) await this.#yielder.pause()
    }
    this.#ahead = stored
    return processes.length === 0 ? undefined : sizeMachine({ vm, processes, hours }, this.#now)
  }
}

const processOf = ({ key }: StoredSubject): ProcessSubject => subjectOfKey(key) as ProcessSubject

/** Sorts after every key of the machine: parts of keys are separated by NUL and never contain it. */
const lastKeyOf = (vm: string): string => `p\0${vm}\x01`
