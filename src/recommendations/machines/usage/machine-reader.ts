import { lookback } from '../../../decisions/decide-namespace.ts'
import {
  decideMachine,
  decisionDay,
  type MachineDecidingDeps,
  readMachineDecision,
} from '../../../decisions/processes/decide-machine.ts'
import type { MachineDecision } from '../../../decisions/processes/machine-decision.ts'
import { readHistory } from '../../../decisions/processes/process-history.ts'
import { sizeProcess } from '../../../decisions/processes/size-process.ts'
import { type ProcessSubject, subjectOfKey } from '../../../domain/subject.ts'
import { compareUtf8 } from '../../../domain/text.ts'
import { dayHours, hourMs } from '../../../domain/time.ts'
import { Yielder } from '../../../runtime/yielder.ts'
import type { DigestQuery, StoredSubject } from '../../../usage/port.ts'
import { PodReader } from '../../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../../usage/reading/pod-usage.ts'
import type { SizedMachine } from './machine.ts'
import { MachineHours } from './machine-hours.ts'
import { readProcess } from './read-process.ts'
import { type ProcessDraft, sizeMachine } from './size-machine.ts'

export interface ReadMachine {
  readonly machine: SizedMachine
  /** Whether no machine follows; undefined if that is known only after reading on. */
  readonly isLast: boolean | undefined
}

/**
 * Reads machines one after the other, ordered by name, with the sizes that were decided on the last day that is over. A process
 * that began since is sized by its own short history. It reads only as much as is requested.
 */
export class MachineReader {
  readonly #deps: MachineDecidingDeps
  readonly #organisation: string
  readonly #hours: HourRange
  readonly #withMedians: boolean
  readonly #reader = new PodReader()
  readonly #yielder = new Yielder()
  /** The day whose decisions are in force at the end of the window. */
  readonly #day: number
  readonly #atHour: number
  #subjects: AsyncIterator<StoredSubject> | undefined
  #ahead: StoredSubject | undefined
  #at = ''

  constructor(
    deps: MachineDecidingDeps,
    organisation: string,
    hours: HourRange,
    { withMedians }: { readonly withMedians: boolean },
  ) {
    this.#deps = deps
    this.#withMedians = withMedians
    this.#organisation = organisation
    this.#hours = hours
    const now = deps.now()
    this.#day = decisionDay(hours, now)
    this.#atHour = Math.min(hours.to, Math.floor(now / hourMs) + 1)
  }

  async after(name: string): Promise<ReadMachine | undefined> {
    if (this.#subjects === undefined || this.#at !== name) await this.#begin({}, name)
    for (;;) {
      const first = this.#ahead ?? (await this.#next())
      this.#ahead = undefined
      if (first === undefined) return undefined
      const { vm } = processOf(first)
      if (compareUtf8(vm, name) <= 0) continue
      this.#at = vm
      const machine = await this.#read(vm, first)
      if (machine !== undefined) return { machine, isLast: this.#isLast() }
    }
  }

  async named(vm: string): Promise<ReadMachine | undefined> {
    await this.#begin({ vm }, undefined)
    const first = await this.#next()
    const machine = first && (await this.#read(vm, first))
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
      summariesBefore: this.#atHour,
      ...(after === undefined || after === '' ? {} : { after: lastKeyOf(after) }),
    }
    this.#subjects = this.#deps.store.usage.digests(this.#organisation, query)[Symbol.asyncIterator]()
  }

  async #next(): Promise<StoredSubject | undefined> {
    const { value, done } = await this.#subjects!.next()
    return done ? undefined : value
  }

  async #read(vm: string, first: StoredSubject): Promise<SizedMachine | undefined> {
    const [hours, processes] = [new MachineHours(), [] as ProcessDraft[]]
    let decision =
      (await readMachineDecision(this.#deps, this.#organisation, vm, this.#day)) ?? (await this.#decide(vm))
    let stored: StoredSubject | undefined = first
    for (; stored !== undefined; stored = await this.#next()) {
      const subject = processOf(stored)
      if (subject.vm !== vm) break
      const process = this.#readProcess(stored, subject, decision, hours)
      if (process !== undefined) processes.push(process)
      if (this.#yielder.isDue) await this.#yielder.pause()
    }
    this.#ahead = stored
    if (processes.length === 0) return undefined
    if (this.#knowsMore(hours, decision)) decision = await this.#decide(vm)
    const sized = processes.map((process) => ({
      ...process,
      size: decision.sizes.get(process.key) ?? process.size,
    }))
    return sizeMachine({ vm, processes: sized, hours }, decision.decidedAt)
  }

  #readProcess(
    stored: StoredSubject,
    subject: ProcessSubject,
    { sizes }: MachineDecision,
    hours: MachineHours,
  ): ProcessDraft | undefined {
    const { key } = stored
    const decided = sizes.get(key)
    if (decided !== undefined && !this.#withMedians) {
      const use = this.#reader.readHourlyUse(stored, this.#hours)
      return use && { ...readProcess(use, hours), key, subject, size: decided, median: undefined }
    }
    const history = readHistory(this.#reader, stored, this.#hours, this.#atHour, decided === undefined)
    if (history === undefined) return undefined
    // Sized immediately, so that its whole history need not be held until the machine is read.
    const size = decided ?? sizeProcess(this.#deps.adviseProcess, history, this.#atHour)
    return { ...readProcess(history.usage.use, hours), key, subject, size, median: history.median }
  }

  /** Whether usage from before the decision has arrived since. */
  #knowsMore(hours: MachineHours, { seenHours }: MachineDecision): boolean {
    const end = (this.#day + 1) * dayHours
    return this.#hours.from >= lookback(end).from && hours.reportedBefore(end) > seenHours + 1
  }

  #decide(vm: string): Promise<MachineDecision> {
    return decideMachine(this.#deps, this.#organisation, vm, { day: this.#day, late: true }, this.#yielder)
  }
}

const processOf = ({ key }: StoredSubject): ProcessSubject => subjectOfKey(key) as ProcessSubject

/** Sorts after every key of the machine: parts of keys are separated by NUL and never contain it. */
const lastKeyOf = (vm: string): string => `p\0${vm}\x01`
