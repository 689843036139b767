import { denied, gone, type KernelFiles } from './kernel-files.ts'
import type { KernelUnits } from './machine.ts'
import { type CgroupPaths, newStat, parseStat } from './stat.ts'

export interface Process {
  readonly pid: number
  readonly startTicks: number
  readonly kernelThread: boolean
  readonly directory: string
  comm: string
  name: string
  cgroupPaths: CgroupPaths
  cpuSeconds: number
  /** CPU time since the last measurement. */
  deltaSeconds: number
  rssBytes: number
  /** Numbers of the measurements in which the process was first and last seen. */
  readonly firstMeasurement: number
  lastMeasurement: number
}

interface ProcessScan {
  readonly live: readonly Process[]
  /** Processes that were seen in the previous measurement and have ended since. */
  readonly vanished: readonly Process[]
  /** Number of processes that are listed but not readable by this user. */
  readonly hidden: number
}

interface ProcessTableOptions {
  readonly proc: string
  readonly units: KernelUnits
  cgroupPathsOf(cgroupFile: string): CgroupPaths
}

/** All processes across measurements. The start time distinguishes a process from a later one with the same pid. */
export class ProcessTable {
  readonly #files: KernelFiles
  readonly #options: ProcessTableOptions
  readonly #known = new Map<number, Process>()
  readonly #stat = newStat()
  #measurements = 0
  #lastUptime = 0

  constructor(files: KernelFiles, options: ProcessTableOptions) {
    this.#files = files
    this.#options = options
  }

  /** `uptime` is that of the machine, in seconds, at the start of the measurement. */
  scan(uptime: number): ProcessScan {
    const measurement = ++this.#measurements
    const live: Process[] = []
    const vanished: Process[] = []
    let hidden = 0
    for (const entry of this.#files.list(this.#options.proc)) {
      const first = entry.charCodeAt(0)
      if (first < 0x31 || first > 0x39) continue
      const pid = Number(entry)
      const known = this.#known.get(pid)
      const directory = known?.directory ?? `${this.#options.proc}/${entry}`
      const length = this.#files.read(`${directory}/stat`)
      if (length === denied) hidden++
      if (length === gone || length === denied || !parseStat(this.#files.bytes, length, this.#stat)) continue
      if (known !== undefined && known.startTicks === this.#stat.startTicks)
        live.push(this.#update(known, measurement))
      else {
        if (known !== undefined) vanished.push(known)
        live.push(this.#add(pid, directory, measurement))
      }
    }
    for (const process of this.#known.values())
      if (process.lastMeasurement !== measurement) {
        this.#known.delete(process.pid)
        vanished.push(process)
      }
    this.#lastUptime = uptime
    return { live, vanished, hidden }
  }

  #add(pid: number, directory: string, measurement: number): Process {
    const { comm, kernelThread, startTicks, rssPages } = this.#stat
    const { units } = this.#options
    const cpuSeconds = this.#stat.cpuTicks / units.ticksPerSecond
    const isNew = measurement > 1 && startTicks / units.ticksPerSecond >= this.#lastUptime - startSlackSeconds
    const process: Process = {
      pid,
      startTicks,
      kernelThread,
      directory,
      comm,
      name: this.#nameOf(directory, comm, kernelThread),
      cgroupPaths: this.#cgroupPathsOf(directory, kernelThread) ?? rootPaths,
      cpuSeconds,
      deltaSeconds: isNew ? cpuSeconds : 0,
      rssBytes: rssPages * units.pageBytes,
      firstMeasurement: measurement,
      lastMeasurement: measurement,
    }
    this.#known.set(pid, process)
    return process
  }

  #update(process: Process, measurement: number): Process {
    const { units } = this.#options
    const cpuSeconds = this.#stat.cpuTicks / units.ticksPerSecond
    process.deltaSeconds = Math.max(0, cpuSeconds - process.cpuSeconds)
    process.cpuSeconds = cpuSeconds
    process.rssBytes = this.#stat.rssPages * units.pageBytes
    process.lastMeasurement = measurement
    const { comm } = this.#stat
    const renamed = comm !== process.comm
    const young = measurement - process.firstMeasurement <= youngMeasurements
    if (!process.kernelThread && (renamed || young || (measurement + process.pid) % cgroupEvery === 0))
      process.cgroupPaths = this.#cgroupPathsOf(process.directory, false) ?? process.cgroupPaths
    if (renamed) {
      process.comm = comm
      process.name = this.#nameOf(process.directory, comm, process.kernelThread)
    }
    return process
  }

  #nameOf(directory: string, comm: string, kernelThread: boolean): string {
    return processName(comm, kernelThread, () => {
      const length = this.#files.read(`${directory}/cmdline`)
      return length < 0 ? '' : this.#files.bytes.toString('latin1', 0, Math.min(length, 4096))
    })
  }

  #cgroupPathsOf(directory: string, kernelThread: boolean): CgroupPaths | undefined {
    if (kernelThread) return rootPaths
    const text = this.#files.text(`${directory}/cgroup`)
    return text === undefined ? undefined : this.#options.cgroupPathsOf(text)
  }
}

const rootPaths: CgroupPaths = { shown: '/', cpu: '/', memory: '/' }

/** A process gets its cgroup soon after it starts and rarely changes it later, so it is read only every few measurements. */
const youngMeasurements = 4
const cgroupEvery = 8

/** Start times are whole ticks, and a process may start while the table is being read. */
const startSlackSeconds = 1

/**
 * The name of a process is its comm, as printable text. The kernel keeps 15 bytes of it, so a longer name is completed
 * from the command line. Some runtimes set comm to the name of their main thread; then the name of the program is used.
 */
export function processName(comm: string, kernelThread: boolean, commandLine: () => string): string {
  if (kernelThread) return plain(comm).replace(kernelThreadDetail, '') || '(unnamed)'
  if (threadNames.has(comm)) return programOf(commandLine()) || comm
  if (comm.length >= 15) {
    const program = programOf(commandLine())
    if (program.startsWith(plain(comm))) return program
  }
  return plain(comm) || '(unnamed)'
}

/** What threads of the same kind differ in: kworker/0:1-events, ksoftirqd/3, jbd2/sda1-8, scsi_eh_0. */
const kernelThreadDetail = /[/:].*$|[._-]?\d+$/s

/** Names that Node.js gives to its main thread. */
const threadNames = new Set(['MainThread', 'node-MainThread'])

/** Words are separated by NUL, or by blanks if the process has overwritten its command line. */
function programOf(commandLine: string): string {
  const word = commandLine.split('\0')[0]!.split(' ')[0]!.replace(/:$/, '')
  return plain(word.slice(word.lastIndexOf('/') + 1)).slice(0, 64)
}

/** Decodes bytes as UTF-8. Invalid bytes and control characters become U+FFFD. */
function plain(bytes: string): string {
  if (/^[\x20-\x7e]*$/.test(bytes)) return bytes
  return Buffer.from(bytes, 'latin1')
    .toString('utf8')
    .replace(/\p{Cc}/gu, '\ufffd')
}
