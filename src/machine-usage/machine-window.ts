import type { AnswerKey } from '../runtime/recent-answers.ts'
import type { SizedMachine } from './machine.ts'

/** About 500 times what working it out takes, as for containers: a small machine is believed for moments, a hundred large ones for an hour. */
const believedMsPerProcess = 175
const mostBelievedMs = 3_600_000

export const believedMsOf = (processes: number): number =>
  Math.min(mostBelievedMs, processes * believedMsPerProcess)

const grownHours = 24

/** The processes of a new machine are still arriving. A short history is quick to read. */
export const isGrown = ({ watchedHours }: SizedMachine): boolean => watchedHours >= grownHours

/** Some hours of an organisation. */
export class MachineWindow {
  /** Their name in the archive, and the state of older usage that they rest on. */
  readonly key: AnswerKey
  /** How many were read in one go, at most. */
  processes = 0

  constructor(key: AnswerKey) {
    this.key = key
  }

  nameOf(rest: string): string {
    const { organisation, name, basis } = this.key
    return [organisation, name, basis, rest].join('\0')
  }
}

/** Is believed for longer the more of its window was read, so that all of it is known at a time. */
export class KeptMachine<Answer> {
  readonly answer: Answer
  readonly basis = []
  readonly size: number
  readonly #window: MachineWindow
  readonly #readAtMs: number

  constructor(answer: Answer, size: number, window: MachineWindow, readAtMs: number) {
    this.answer = answer
    this.size = size
    this.#window = window
    this.#readAtMs = readAtMs
  }

  get goodUntilMs(): number {
    return this.#readAtMs + believedMsOf(this.#window.processes)
  }
}
