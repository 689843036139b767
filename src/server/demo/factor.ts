import { hashName } from '../../domain/hash-name.ts'
import { hourMs } from '../../domain/time.ts'
import type { DemoShape } from './world.ts'

const officeHours = [8, 18] as const

/** Usage at a time as a multiple of the mean. `age` is the share of the history that has passed, from 0 to 1. */
export function demoFactor(
  seed: number,
  shape: DemoShape,
  timeMs: number,
  age: number,
): { cpu: number; memory: number } {
  const hours = timeMs / hourMs
  const hourOfDay = hours % 24
  // 1 January 1970 was a Thursday.
  const dayOfWeek = (Math.floor(hours / 24) + 4) % 7
  const isWeekend = dayOfWeek === 0 || dayOfWeek === 6
  const noise = 0.9 + 0.2 * randomOf(seed, Math.floor(timeMs / 300_000))
  const burst = randomOf(seed + 1, Math.floor(hours)) > 0.97 ? 1.8 : 1
  const wave = 1 + 0.55 * Math.sin(((hourOfDay - 9) / 24) * 2 * Math.PI)
  const isOffice = !isWeekend && hourOfDay >= officeHours[0] && hourOfDay < officeHours[1]
  const isNight = hourOfDay < 5
  const cpu = {
    day: wave * (isWeekend ? 0.75 : 1),
    office: isOffice ? 2.2 : 0.35,
    night: isNight ? 3 : 0.45,
    flat: 1,
    idle: 1,
    leak: 1,
  }[shape]
  const memory = {
    day: 0.94 + 0.06 * wave,
    office: isOffice ? 1.1 : 0.95,
    night: isNight ? 1.5 : 0.87,
    flat: 1,
    idle: 1,
    // Memory grows during a third of the history, ten days of thirty, until a restart.
    leak: 0.4 + 1.8 * ((age * 3) % 1),
  }[shape]
  return {
    cpu: cpu * noise * (shape === 'idle' ? 1 : burst),
    memory: memory * (0.985 + 0.03 * randomOf(seed + 2, Math.floor(hours))),
  }
}

/** The hash as a signed integer. */
export const seedOf = (name: string): number => hashName(name) | 0

/** A pseudo-random number from 0 to 1 that depends only on the arguments. */
function randomOf(seed: number, at: number): number {
  let hash = Math.imul(seed ^ at, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}
