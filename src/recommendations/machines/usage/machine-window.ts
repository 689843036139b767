import { type AnswerKey, ttlMsOf } from '../../../runtime/answer-cache.ts'
import type { SizedMachine } from './machine.ts'

/**
 * About 500 times the computing time, as for containers: a small machine is kept for moments, a hundred large ones for
 * an hour.
 */
const ttlMsPerProcess = 175

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

  readonly #endMs: number

  constructor(key: AnswerKey, endMs: number) {
    this.key = key
    this.#endMs = endMs
  }

  /** Returns how long machines stay valid that were read at this time, with this many processes in one pass. */
  ttlMs(readAt: number, processes = this.processes): number {
    return ttlMsOf({ endedForMs: readAt - this.#endMs }, processes * ttlMsPerProcess)
  }

  nameOf(rest: string): string {
    const { organisation, name, basis } = this.key
    return [organisation, name, basis, rest].join('\0')
  }
}

interface MachineReading {
  readonly window: MachineWindow
  /** When the machine was read, by the clock of the cache. */
  readonly clockMs: number
  /** The same in milliseconds since 1970. */
  readonly createdAt: number
}

/** Is kept longer the more of its window was read, so that the whole window can be known at one time. */
export class CachedMachine<Answer> {
  readonly answer: Answer
  readonly basis = []
  readonly size: number
  readonly #read: MachineReading

  constructor(answer: Answer, size: number, read: MachineReading) {
    this.answer = answer
    this.size = size
    this.#read = read
  }

  get expiresAtMs(): number {
    const { window, clockMs, createdAt } = this.#read
    return clockMs + window.ttlMs(createdAt)
  }
}
