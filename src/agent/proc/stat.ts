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
