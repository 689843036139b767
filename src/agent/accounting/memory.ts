import type { CgroupTree } from '../cgroup/cgroup-tree.ts'
import type { Process } from '../proc/process-table.ts'

interface MemoryShares {
  readonly bytes: ReadonlyMap<Process, number>
  /** Number of processes whose memory was scaled from the resident size, not read. */
  readonly scaled: number
}

/**
 * The memory of each process: its proportional set size (PSS) if that could be read. The resident size of the other
 * processes counts a shared page once for each of them. It is therefore scaled down so that their sum is the mapped memory
 * of their cgroup that is not covered by PSS, or the remaining mapped memory of the machine for processes in the root or
 * in a cgroup without this counter.
 */
export function shareMemory(
  live: readonly Process[],
  pssOf: (process: Process) => number | undefined,
  tree: Pick<CgroupTree, 'mappedBytes'>,
  machineMappedBytes: () => number,
): MemoryShares {
  const bytes = new Map<Process, number>()
  const readBytes = new Map<string, number>()
  const unread = new Map<string, Process[]>()
  let known = 0
  for (const process of live) {
    const pss = pssOf(process)
    const cgroup = process.cgroupPaths.memory
    if (pss === undefined) {
      const others = unread.get(cgroup)
      if (others === undefined) unread.set(cgroup, [process])
      else others.push(process)
      continue
    }
    bytes.set(process, pss)
    known += pss
    readBytes.set(cgroup, (readBytes.get(cgroup) ?? 0) + pss)
  }
  if (unread.size === 0) return { bytes, scaled: 0 }

  const rest: Process[] = []
  let scaled = 0
  for (const [cgroup, processes] of unread) {
    scaled += processes.length
    const mapped = tree.mappedBytes(cgroup)
    if (mapped === undefined) rest.push(...processes)
    else known += scaleTo(mapped - (readBytes.get(cgroup) ?? 0), processes, bytes)
  }
  scaleTo(machineMappedBytes() - known, rest, bytes)
  return { bytes, scaled }
}

function scaleTo(target: number, processes: readonly Process[], bytes: Map<Process, number>): number {
  const resident = processes.reduce((sum, process) => sum + process.rssBytes, 0)
  const factor = resident === 0 ? 0 : Math.min(1, Math.max(minFactor, target / resident))
  for (const process of processes) bytes.set(process, Math.round(process.rssBytes * factor))
  return resident * factor
}

/** Pages may be charged to another cgroup that touched them first, but a process always has some pages of its own. */
const minFactor = 0.05
