import { deserialize, serialize } from 'node:v8'
import { type AnswerArchive, type AnswerCodec, type AnswerKey, LruCache } from '../runtime/answer-cache.ts'
import { Yielder } from '../runtime/yielder.ts'
import { decodeMachine, encodeMachine } from './machine-codec.ts'
import type { ReadMachine } from './machine-reader.ts'
import { isWorthKeeping } from './machine-window.ts'

/** A machine encoded in about a tenth of its size, for the database. */
interface PackedMachine {
  readonly vm: string
  readonly isLast: boolean | undefined
  readonly processes: number
  /** Undefined for a new machine, which is read each time. */
  readonly bytes: Uint8Array | undefined
}

export type MachineAnswers = AnswerArchive<readonly PackedMachine[]>

/** Maximum size of the windows that were read from the archive. */
const maxBytes = 32 << 20
const maxWindows = 10_000

/** Machines of whole windows that survive this process and are shared with other nodes. */
export class MachineArchive {
  readonly #answers: MachineAnswers | undefined
  readonly #clockMs: () => number
  readonly #windows = new LruCache<PackedMachines>({ size: maxBytes, count: maxWindows })

  readonly #reading = new Map<string, Promise<void>>()

  constructor(answers: MachineAnswers | undefined, clockMs: () => number) {
    this.#answers = answers
    this.#clockMs = clockMs
  }

  /** Returns the machines of a window if it was read. */
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

  /** Whether the window is archived. Does not read it. */
  async has(key: AnswerKey): Promise<boolean> {
    return this.find(key) !== undefined || (await this.#answers?.computedAt(key)) !== undefined
  }

  async #load(key: AnswerKey, answers: MachineAnswers): Promise<void> {
    const found = await answers.read(key)
    if (found === undefined) return
    this.#windows.keep(textOf(key), {
      answer: new PackedMachines(found.answer),
      basis: [key.basis],
      size: found.size,
      expiresAtMs: this.#clockMs() + found.ttlMs,
    })
  }

  /** Stores the first machines of a window, ordered by name. */
  async write(key: AnswerKey, machines: readonly ReadMachine[], ttlMs: number): Promise<void> {
    const yielder = new Yielder()
    const packed: PackedMachine[] = []
    for (const machine of machines) {
      packed.push(packMachine(machine))
      if (yielder.isDue) await yielder.pause()
    }
    await this.#answers?.write(key, packed, ttlMs)
  }
}

const textOf = ({ organisation, name }: AnswerKey): string => JSON.stringify([organisation, name])

function packMachine({ machine, isLast }: ReadMachine): PackedMachine {
  const { vm, processes } = machine
  const bytes = isWorthKeeping(machine) ? encodeMachine(machine) : undefined
  return { vm, isLast, processes: processes.length, bytes }
}

/** Returns undefined if the machine must be read from its digests again. */
function unpackMachine(packed: PackedMachine | undefined): ReadMachine | undefined {
  if (packed?.bytes === undefined) return undefined
  try {
    return { machine: decodeMachine(packed.bytes), isLast: packed.isLast }
  } catch {
    return undefined
  }
}

/** The first machines of a window, ordered by name. Each is unpacked when it is requested. */
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

  /** Returns the machine that follows a name ('' for the first), or undefined if it is unknown. */
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
