import { endianness } from 'node:os'
import { type KernelFiles, numberIn } from './kernel-files.ts'

interface MachineCpu {
  /** Seconds since boot that all cores together worked for tasks; steal and waiting are not work. */
  readonly taskSeconds: number
  /** Served interrupts, which belong to no task. */
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
  /** What processes have mapped, each page once: the sum of their proportional shares. */
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

/** Seconds since boot, on the clock of process start times. */
export function readUptime(files: KernelFiles, proc: string): number {
  return Number(files.text(`${proc}/uptime`)?.split(' ', 1)[0] ?? 0)
}

/** Units in which the kernel reports values. */
export interface KernelUnits {
  readonly pageBytes: number
  readonly ticksPerSecond: number
}

/**
 * From our own auxiliary vector (getauxval(3)), pairs of 64 bits until a zero: AT_PAGESZ is 6, AT_CLKTCK 17.
 * Pages are 4, 16 or 64 KiB on arm64, ticks 100 a second everywhere we run.
 */
export function readUnits(files: KernelFiles): KernelUnits {
  const length = files.read('/proc/self/auxv')
  const found = new Map<number, number>()
  for (let at = 0; endianness() === 'LE' && at + 16 <= length; at += 16)
    found.set(Number(files.bytes.readBigUInt64LE(at)), Number(files.bytes.readBigUInt64LE(at + 8)))
  return { pageBytes: found.get(6) ?? 4096, ticksPerSecond: found.get(17) ?? 100 }
}
