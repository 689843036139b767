import { nine, zero } from './kernel-files.ts'

interface Stat {
  /** The bytes of the file, one character per byte; see processName. */
  comm: string
  kernelThread: boolean
  /** utime + stime, including threads that have ended. */
  cpuTicks: number
  /** Start time since boot; together with the pid it identifies a process. */
  startTicks: number
  rssPages: number
}

export const newStat = (): Stat => ({
  comm: '',
  kernelThread: false,
  cpuTicks: 0,
  startTicks: 0,
  rssPages: 0,
})

/**
 * Parses /proc/<pid>/stat (proc_pid_stat(5)) into `into`. Returns false if the bytes are not of this form:
 *
 *     4242 (comm) S 1 4242 4242 0 -1 4194560 ...
 *      1     2    3 4   5    6  7  8    9 flags ... 14 utime 15 stime ... 22 starttime 23 vsize 24 rss
 *
 * comm has up to 15 arbitrary bytes, which may be brackets, blanks and line ends, so only the last bracket ends it.
 */
export function parseStat(bytes: Buffer, length: number, into: Stat): boolean {
  const open = bytes.indexOf(0x28)
  const close = bytes.lastIndexOf(0x29, length - 1)
  if (open < 0 || close < open || close + 2 >= length) return false
  into.comm = bytes.toString('latin1', open + 1, close)
  let field = 3
  let value = 0
  let ticks = 0
  for (let at = close + 2; at < length; at++) {
    const byte = bytes[at]!
    if (byte >= zero && byte <= nine) {
      value = value * 10 + byte - zero
      continue
    }
    if (byte !== 0x20 && byte !== 0x0a) continue
    if (field === 9) into.kernelThread = (value & kernelThreadFlag) !== 0
    else if (field === 14) ticks = value
    else if (field === 15) into.cpuTicks = ticks + value
    else if (field === 22) into.startTicks = value
    else if (field === 24) {
      into.rssPages = value
      return true
    }
    field++
    value = 0
  }
  return false
}

/** PF_KTHREAD, include/linux/sched.h */
const kernelThreadFlag = 0x00200000

/** The paths of the cgroups of a process; '/' is the root. */
export interface CgroupPaths {
  /** The path to show, which best identifies the service or container of the process. */
  readonly shown: string
  /** The path in the hierarchy that counts CPU time. */
  readonly cpu: string
  /** The path in the hierarchy that counts memory. */
  readonly memory: string
}

/**
 * Parses /proc/<pid>/cgroup (cgroups(7)), which has a line per hierarchy: `0::/path` is version 2, `4:memory:/path` and
 * `2:cpu,cpuacct:/path` are controllers of version 1, and `1:name=systemd:/path` has no controller. A path may contain
 * colons, and ` (deleted)` is appended to the path of a removed cgroup.
 */
export function parseCgroupFile(
  text: string,
  counted: { cpu: Version; memory: Version },
  resolve: (controller: string, path: string) => string = (_controller, path) => path,
): CgroupPaths {
  const paths = new Map<string, string>()
  for (const line of text.split('\n')) {
    const match = /^\d+:([^:]*):(\/.*)$/s.exec(line)
    if (match === null) continue
    const path = match[2]!.replace(/ \(deleted\)$/, '')
    for (const controller of match[1]!.split(',')) paths.set(controller, resolve(controller, path))
  }
  const pathIn = (version: Version, controller: string) => paths.get(version === 1 ? controller : '') ?? '/'
  return {
    shown: showOrder.map((controller) => paths.get(controller)).find((path) => path && path !== '/') ?? '/',
    cpu: pathIn(counted.cpu, 'cpuacct'),
    memory: pathIn(counted.memory, 'memory'),
  }
}

export type Version = 1 | 2

/** Version 2 first, then the hierarchy of systemd, then the controllers of version 1 that container engines always set. */
const showOrder = ['', 'name=systemd', 'memory', 'cpuacct', 'cpu', 'pids', 'devices']
