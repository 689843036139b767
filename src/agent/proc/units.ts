import { endianness } from 'node:os'
import type { KernelFiles } from './kernel-files.ts'

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
