import { endianness } from 'node:os'
import { type KernelFiles, numberIn } from './kernel-files.ts'

interface MachineCpu {
  /** CPU time of tasks since boot, summed over all cores. Steal and iowait are not included. */
  readonly taskSeconds: number
  /** CPU time of interrupts, which belong to no task. */
  readonly interruptSeconds: number
}

/** The first line of /proc/stat: cpu user nice system idle iowait irq softirq steal guest guest_nice, in ticks. */
export function readMachineCpu(files: KernelFiles, proc: string, units: KernelUnits): MachineCpu {
  const line = files.text(`${proc}/stat`)?.split('\n', 1)[0] ?? ''
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/ +/).slice(1).map(Number)
  return {
    taskSeconds: (user + nice + system) / units.ticksPerSecond,
    interruptSeconds: (irq + softirq) / units.ticksPerSecond,
  }
}

interface MachineMemory {
  readonly totalBytes: number
  readonly availableBytes: number
  /** Memory that processes have mapped, each page counted once. This equals the sum of their PSS. */
  readonly mappedBytes: number
}

export function readMachineMemory(files: KernelFiles, proc: string): MachineMemory {
  const length = files.read(`${proc}/meminfo`)
  const bytes = (name: string) => (length < 0 ? 0 : (numberIn(files.bytes, length, name) ?? 0) * 1024)
  return {
    totalBytes: bytes('MemTotal:'),
    availableBytes: bytes('MemAvailable:'),
    mappedBytes: bytes('AnonPages:') + bytes('Mapped:'),
  }
}

export function countCores(files: KernelFiles, proc: string): number {
  return files.text(`${proc}/stat`)?.match(/^cpu\d+ /gm)?.length ?? 0
}

/** Seconds since boot, by the clock that process start times use. */
export function readUptime(files: KernelFiles, proc: string): number {
  return Number(files.text(`${proc}/uptime`)?.split(' ', 1)[0] ?? 0)
}

/** Units in which the kernel reports values. */
export interface KernelUnits {
  readonly pageBytes: number
  readonly ticksPerSecond: number
}

/**
 * Reads the auxiliary vector of this process (getauxval(3)): pairs of 64-bit numbers until a zero; AT_PAGESZ is 6,
 * AT_CLKTCK 17. Pages have 4, 16 or 64 KiB on arm64. There are 100 ticks a second on all supported platforms.
 */
export function readUnits(files: KernelFiles): KernelUnits {
  const length = files.read('/proc/self/auxv')
  const vector = new Map<number, number>()
  for (let at = 0; endianness() === 'LE' && at + 16 <= length; at += 16)
    vector.set(Number(files.bytes.readBigUInt64LE(at)), Number(files.bytes.readBigUInt64LE(at + 8)))
  return { pageBytes: vector.get(6) ?? 4096, ticksPerSecond: vector.get(17) ?? 100 }
}
