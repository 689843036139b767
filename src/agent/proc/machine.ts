import type { KernelFiles } from './kernel-files.ts'
import { numberIn } from './kernel-files.ts'
import type { KernelUnits } from './units.ts'

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
