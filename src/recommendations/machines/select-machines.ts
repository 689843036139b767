import type { MachineDecidingDeps } from '../../decisions/processes/decide-machine.ts'
import { compareUtf8 } from '../../domain/text.ts'
import type { MachineCursor, MachinesQuery } from './query.ts'
import type { SizedMachine, SizedProcess } from './usage/machine.ts'
import { MachineReader, type ReadMachine } from './usage/machine-reader.ts'

/**
 * Yields the machines that a query selects, ordered by name, each with the processes of the requested group. Machines
 * without any are left out. The machine in which the previous page ended is repeated with its remaining processes.
 */
export async function* selectMachines(
  deps: MachineDecidingDeps,
  organisation: string,
  { vm, group, hours, after }: Pick<MachinesQuery, 'vm' | 'group' | 'hours' | 'after'>,
  options: { readonly withMedians: boolean },
): AsyncGenerator<SelectedMachine> {
  if (hours.from >= hours.to) return
  for await (const { machine, isLast } of found()) {
    const selected = machine.processes.filter(
      (process) =>
        (group === undefined || process.subject.group === group) &&
        (after?.key === undefined || after.vm !== machine.vm || isAfter(process, after)),
    )
    const asked = [...selected.filter((process) => !isUnused(process)), ...selected.filter(isUnused)]
    if (asked.length > 0)
      yield {
        machine,
        processes: asked,
        isLast: group !== undefined && isLast === false ? undefined : isLast,
      }
  }

  async function* named(name: string): AsyncGenerator<ReadMachine> {
    const machine = await new MachineReader(deps, organisation, hours, options).named(name)
    if (machine !== undefined) yield machine
  }

  async function* following(name: string): AsyncGenerator<ReadMachine> {
    const reader = new MachineReader(deps, organisation, hours, options)
    try {
      for (let read = await reader.after(name); read; read = await reader.after(read.machine.vm)) yield read
    } finally {
      await reader.close()
    }
  }

  async function* found(): AsyncGenerator<Pick<SelectedMachine, 'machine' | 'isLast'>> {
    if (vm !== undefined) {
      const order = after === undefined ? 1 : compareUtf8(vm, after.vm)
      if (order > 0 || (order === 0 && after?.key !== undefined)) yield* named(vm)
      return
    }
    // Other machines may follow the one in which the previous page ended.
    if (after?.key !== undefined)
      for await (const { machine } of named(after.vm)) yield { machine, isLast: undefined }
    yield* following(after?.vm ?? '')
  }
}

/** Kernel threads have no memory, and a process that has ended needs nothing. */
export const isUnused = ({ mean, recommended }: SizedProcess): boolean =>
  mean.gib === 0 || (recommended.cores === 0 && recommended.gib === 0)

function isAfter(process: SizedProcess, { key = '', isUnused: wasUnused = false }: MachineCursor): boolean {
  const unused = isUnused(process)
  return unused === wasUnused ? compareUtf8(process.key, key) > 0 : unused
}

export interface SelectedMachine {
  /** The whole machine, because the cost of a process depends on the others. */
  readonly machine: SizedMachine
  readonly processes: SizedMachine['processes']
  /** Whether this is the last machine; undefined if that is known only after reading on. */
  readonly isLast: boolean | undefined
}
