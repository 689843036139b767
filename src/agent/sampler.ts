import { CpuAccounting } from './accounting/cpu.ts'
import {
  type Group,
  type GroupLimits,
  interruptsName,
  ProcessGroupTable,
  unseenName,
} from './accounting/groups.ts'
import { shareMemory } from './accounting/memory.ts'
import { CgroupTree } from './cgroup/cgroup-tree.ts'
import { OwnCgroup } from './cgroup/own-cgroup.ts'
import { KernelFiles } from './proc/kernel-files.ts'
import {
  countCores,
  type KernelUnits,
  readMachineCpu,
  readMachineMemory,
  readUnits,
  readUptime,
} from './proc/machine.ts'
import { type Process, ProcessTable } from './proc/process-table.ts'
import { PssReader } from './proc/pss.ts'
import { type CgroupPaths, parseCgroupFile } from './proc/stat.ts'

interface SamplerOptions {
  readonly proc: string
  readonly cgroupRoot: string
  readonly intervalSeconds: number
  readonly pssSeconds: number
  readonly limits?: GroupLimits
  readonly units?: KernelUnits
}

/** The result of one measurement of the host. */
export interface HostReading {
  /** Groups that have processes now or used CPU time since the last measurement. The next measurement modifies them. */
  readonly groups: readonly Group[]
  /** Number of this measurement; the first is 1. */
  readonly measurement: number
  readonly cores: number
  readonly memoryBytes: number
  readonly availableMemoryBytes: number
  readonly processes: number
  /** Number of processes that are listed but not readable by this user. */
  readonly hiddenProcesses: number
  /** Number of processes whose memory was scaled from the resident size, because this user may not read their PSS. */
  readonly scaledProcesses: number
  readonly hidepid: string
  readonly hasCgroupCounters: boolean
}

/** Measures a Linux host repeatedly; each measurement reads every process once. */
export class Sampler {
  readonly #options: SamplerOptions
  readonly #files = new KernelFiles()
  readonly #units: KernelUnits
  readonly #tree: CgroupTree
  readonly #own: OwnCgroup
  readonly #cgroupPaths = new Map<string, CgroupPaths>()
  readonly #table: ProcessTable
  readonly #pss: PssReader
  readonly #groups: ProcessGroupTable
  readonly #cpuAccounting: CpuAccounting<Group>
  readonly #hidepid: string
  #measurements = 0
  #interruptSeconds = 0

  constructor(options: SamplerOptions) {
    this.#options = options
    this.#units = options.units ?? readUnits(this.#files)
    this.#tree = new CgroupTree(this.#files, options.cgroupRoot)
    this.#own = new OwnCgroup(process.pid)
    this.#table = new ProcessTable(this.#files, {
      proc: options.proc,
      units: this.#units,
      cgroupPathsOf: (text) => this.#cgroupPathsOf(text),
    })
    this.#pss = new PssReader(this.#files, {
      intervalSeconds: options.intervalSeconds,
      everySeconds: options.pssSeconds,
    })
    this.#groups = new ProcessGroupTable(
      options.limits ?? { maxGroups: 5000, maxIdleMeasurements: Math.ceil(3600 / options.intervalSeconds) },
    )
    this.#cpuAccounting = new CpuAccounting((cgroup) => this.#tree.cpuSeconds(cgroup))
    this.#hidepid = readHidepid(this.#files, options.proc)
  }

  measure(): HostReading {
    const { proc } = this.#options
    this.#measurements++
    this.#groups.startMeasurement()
    const cpu = readMachineCpu(this.#files, proc, this.#units)
    const { live, vanished, hidden } = this.#table.scan(readUptime(this.#files, proc))
    const memory = readMachineMemory(this.#files, proc)

    const consumerOf = (process: Process) => ({
      owner: this.#groups.ofProcess(process),
      cgroup: process.cgroupPaths.cpu,
      seconds: process.deltaSeconds,
    })
    const credit = (group: Group, seconds: number) => {
      group.cpuSeconds += seconds
    }
    this.#cpuAccounting.record(
      { live: live.map(consumerOf), vanished: vanished.map(consumerOf), machineSeconds: cpu.taskSeconds },
      {
        toOwner: credit,
        toUnseen: (cgroup, seconds) => credit(this.#groups.named(unseenName, cgroup), seconds),
      },
    )
    this.#creditInterrupts(cpu.interruptSeconds)

    this.#pss.startMeasurement()
    const shares = shareMemory(
      live,
      (process) => this.#pss.bytesOf(process),
      this.#tree,
      () => memory.mappedBytes,
    )
    for (const process of live) {
      const group = this.#groups.ofProcess(process)
      group.processes++
      group.memoryBytes = (group.memoryBytes ?? 0) + (shares.bytes.get(process) ?? 0)
    }
    return {
      groups: this.#groups.current(),
      measurement: this.#measurements,
      cores: countCores(this.#files, proc),
      memoryBytes: memory.totalBytes,
      availableMemoryBytes: memory.availableBytes,
      processes: live.length,
      hiddenProcesses: hidden,
      scaledProcesses: shares.scaled,
      hidepid: this.#hidepid,
      hasCgroupCounters: this.#tree.cpuDirectory !== undefined,
    }
  }

  #creditInterrupts(seconds: number): void {
    const used = seconds - this.#interruptSeconds
    this.#interruptSeconds = seconds
    if (this.#measurements > 1 && used > 0)
      this.#groups.named(interruptsName, '/', 'system').cpuSeconds += used
  }

  /** The files of processes in the same cgroup are equal, so only a few are parsed. */
  #cgroupPathsOf(text: string): CgroupPaths {
    const known = this.#cgroupPaths.get(text)
    if (known !== undefined) return known
    const paths = parseCgroupFile(text, this.#tree.versions, (controller, path) =>
      this.#own.resolve(this.#tree.directoryOf(controller), path),
    )
    if (this.#cgroupPaths.size >= maxCgroupPaths) this.#cgroupPaths.clear()
    this.#cgroupPaths.set(text, paths)
    return paths
  }
}

const maxCgroupPaths = 10_000

/** How /proc is mounted: with hidepid, processes of other users are not readable or not even listed (proc(5)). */
function readHidepid(files: KernelFiles, proc: string): 'off' | 'noaccess' | 'invisible' | 'ptraceable' {
  const mounts = files.text(`${proc}/self/mounts`) ?? ''
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, where, type]) => where === proc && type === 'proc')?.[3]
  const value = /(?:^|,)hidepid=(\w+)/.exec(options ?? '')?.[1] ?? '0'
  return levels[value] ?? 'off'
}

const levels: Record<string, 'off' | 'noaccess' | 'invisible' | 'ptraceable'> = {
  1: 'noaccess',
  noaccess: 'noaccess',
  2: 'invisible',
  invisible: 'invisible',
  4: 'ptraceable',
  ptraceable: 'ptraceable',
}
