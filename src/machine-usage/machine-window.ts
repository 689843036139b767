import { type AnswerKey, maxTtlMs } from '../runtime/answer-cache.ts'
import type { SizedMachine } from './machine.ts'

/**
 * About 500 times the computing time, as for containers: a small machine is kept for moments, a hundred large ones for
 * an hour.
 */
const ttlMsPerProcess = 175

export const ttlMsOf = (processes: number): number => Math.min(maxTtlMs, processes * ttlMsPerProcess)

const minHoursToKeep = 24

/**
 * Only machines with enough history are kept. The processes of a new machine are still appearing, and its short history
 * is quick to read.
 */
export const isWorthKeeping = ({ measuredHours }: SizedMachine): boolean => measuredHours >= minHoursToKeep

/** The machines of an organisation in a range of hours. */
export class MachineWindow {
  /** The key in the archive, and the state of older usage on which the machines are based. */
  readonly key: AnswerKey
  /** The largest number of processes that were read in one pass. */
  processes = 0

  constructor(key: AnswerKey) {
    this.key = key
  }

  nameOf(rest: string): string {
    const { organisation, name, basis } = this.key
    return [organisation, name, basis, rest].join('\0')
  }
}

/** Is kept longer the more of its window was read, so that the whole window can be known at one time. */
export class CachedMachine<Answer> {
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

  get expiresAtMs(): number {
    return this.#readAtMs + ttlMsOf(this.#window.processes)
  }
}
