import { readdirSync, readFileSync } from 'node:fs'
import type { Target } from './target.ts'

export interface Reading {
  /** How often the service had been started. */
  readonly start: number
  readonly atMs: number
  readonly residentMib: number
  readonly descriptors: number
}

const everyMs = 2_000

/** Samples memory and open files of the service until it is stopped. */
export function watchResources(target: Target): { readonly readings: readonly Reading[]; stop(): void } {
  const readings: Reading[] = []
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${target.pid}/status`, 'utf8')
      readings.push({
        start: target.starts,
        atMs: Date.now(),
        residentMib: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
        descriptors: readdirSync(`/proc/${target.pid}/fd`).length,
      })
    } catch {
      // Between two starts there is no process to read.
    }
  }, everyMs)
  return { readings, stop: () => clearInterval(timer) }
}

export interface Trend {
  readonly minutes: number
  readonly mibPerHour: number
  readonly firstMib: number
  readonly lastMib: number
  /** Highest number of open files in the first and in the last third. */
  readonly descriptors: readonly [number, number]
}

const warmUpShare = 0.3
const lowMarkMs = 60_000

/**
 * Returns the trend over the longest time between two starts, without its warm-up, or undefined if there are too few
 * readings. Memory is judged by the lowest reading of each minute, since the garbage collector makes it rise and fall
 * in between.
 */
export function trendOf(readings: readonly Reading[]): Trend | undefined {
  const stretches = [...Map.groupBy(readings, ({ start }) => start).values()]
  const longest = stretches.toSorted((a, b) => b.length - a.length)[0] ?? []
  const steady = longest.slice(Math.ceil(longest.length * warmUpShare))
  if (steady.length < 6) return undefined
  const third = Math.ceil(steady.length / 3)
  const most = (list: readonly Reading[]) => Math.max(...list.map(({ descriptors }) => descriptors))
  const [first, last] = [steady[0]!, steady.at(-1)!]
  return {
    minutes: (last.atMs - first.atMs) / 60_000,
    mibPerHour: slopePerMs(lowestPerMinute(steady)) * 3_600_000,
    firstMib: first.residentMib,
    lastMib: last.residentMib,
    descriptors: [most(steady.slice(0, third)), most(steady.slice(-third))],
  }
}

function lowestPerMinute(readings: readonly Reading[]): Reading[] {
  const minutes = Map.groupBy(readings, ({ atMs }) => Math.floor((atMs - readings[0]!.atMs) / lowMarkMs))
  return [...minutes.values()].map((list) => list.reduce((a, b) => (b.residentMib < a.residentMib ? b : a)))
}

/** Least squares. */
function slopePerMs(readings: readonly Reading[]): number {
  const mean = (of: (reading: Reading) => number) =>
    readings.reduce((sum, reading) => sum + of(reading), 0) / readings.length
  const meanMs = mean(({ atMs }) => atMs)
  const meanMib = mean(({ residentMib }) => residentMib)
  const covariance = mean(({ atMs, residentMib }) => (atMs - meanMs) * (residentMib - meanMib))
  return covariance / mean(({ atMs }) => (atMs - meanMs) ** 2)
}
