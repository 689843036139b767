import { deserialize, serialize } from 'node:v8'
import {
  type AnswerArchive,
  type AnswerCodec,
  type AnswerKey,
  RecentAnswers,
} from '../runtime/recent-answers.ts'
import { Yielder } from '../runtime/yielder.ts'
import { decodeMachine, encodeMachine } from './machine-codec.ts'
import type { ReadMachine } from './machine-reader.ts'
import { isGrown } from './machine-window.ts'

/** A machine in a tenth of its size, for the database. */
interface PackedMachine {
  readonly vm: string
  readonly isLast: boolean | undefined
  readonly processes: number
  /** Undefined for a new machine, which is read each time. */
  readonly bytes: Uint8Array | undefined
}

export type MachineAnswers = AnswerArchive<readonly PackedMachine[]>

/** Windows that were read take no more than this. */
const mostBytes = 32 << 20
const mostWindows = 10_000

/** Machines of windows that outlive this process, and that other nodes find. */
export class MachineArchive {
  readonly #answers: MachineAnswers | undefined
  readonly #clockMs: () => number
  readonly #windows = new RecentAnswers<PackedMachines>({ size: mostBytes, count: mostWindows })

  readonly #reading = new Map<string, Promise<void>>()

  constructor(answers: MachineAnswers | undefined, clockMs: () => number) {
    this.#answers = answers
    this.#clockMs = clockMs
  }

  /** What was read of a window. */
  find(key: AnswerKey): PackedMachines | undefined {
    return this.#windows.find(textOf(key), [key.basis], this.#clockMs())
  }

  async read(key: AnswerKey): Promise<void> {
    const answers = this.#answers
    if (answers === undefined || this.find(key) !== undefined) return
    const reading = this.#reading.getOrInsertComputed(textOf(key), () =>
      this.#load(key, answers).finally(() => this.#reading.delete(textOf(key))),
    )
    await reading
  }

  /** Whether one is there, without reading it. */
  async has(key: AnswerKey): Promise<boolean> {
    return this.find(key) !== undefined || (await this.#answers?.computedAt(key)) !== undefined
  }

  async #load(key: AnswerKey, answers: MachineAnswers): Promise<void> {
    const found = await answers.read(key)
    if (found === undefined) return
    this.#windows.keep(textOf(key), {
      ...{ answer: new PackedMachines(found.answer), basis: [key.basis], size: found.size },
      goodUntilMs: this.#clockMs() + found.believedMs,
    })
  }

  /** The first machines of a window, in order of name. */
  async write(key: AnswerKey, machines: readonly ReadMachine[], believedMs: number): Promise<void> {
    const yielder = new Yielder()
    const packed: PackedMachine[] = []
    for (const machine of machines) {
      packed.push(packMachine(machine))
      if (yielder.isDue) await yielder.pause()
    }
    await this.#answers?.write(key, packed, believedMs)
  }
}

const textOf = ({ organisation, name }: AnswerKey): string => JSON.stringify([organisation, name])

function packMachine({ machine, isLast }: ReadMachine): PackedMachine {
  const { vm, processes } = machine
  const bytes = isGrown(machine) ? encodeMachine(machine) : undefined
  return { vm, isLast, processes: processes.length, bytes }
}

/** Undefined where it has to be read again. */
function unpackMachine(packed: PackedMachine | undefined): ReadMachine | undefined {
  if (packed?.bytes === undefined) return undefined
  try {
    return { machine: decodeMachine(packed.bytes), isLast: packed.isLast }
  } catch {
    return undefined
  }
}

/** The first machines of a window, in order of name; each is unpacked when it is asked for. */
class PackedMachines {
  readonly processes: number
  readonly #byName = new Map<string, PackedMachine>()
  readonly #afterName = new Map<string, PackedMachine>()

  constructor(machines: readonly PackedMachine[]) {
    let [last, processes] = ['', 0]
    for (const machine of machines) {
      this.#byName.set(machine.vm, machine)
      this.#afterName.set(last, machine)
      last = machine.vm
      processes += machine.processes
    }
    this.processes = processes
  }

  named(vm: string): ReadMachine | undefined {
    return unpackMachine(this.#byName.get(vm))
  }

  /** The one that follows a machine, or '' for the first; undefined where that is not known. */
  after(name: string): ReadMachine | undefined {
    return unpackMachine(this.#afterName.get(name))
  }
}

export const machinesCodec: AnswerCodec<readonly PackedMachine[]> = {
  format: 'machines 2',
  encode: async (machines) => serialize(machines),
  async decode(bytes) {
    return { answer: deserialize(bytes) as PackedMachine[], size: bytes.length }
  },
}
