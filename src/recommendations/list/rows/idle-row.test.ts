import { expect, test } from 'vitest'
import { HourlyUse, noSetting } from '../../../usage/reading/hourly-use.ts'
import { IdleUse } from './idle-row.ts'

/** A pod that begins at an hour, with its mean cores in each hour. */
function podOf(firstHour: number, cores: readonly number[], requestCores?: number): HourlyUse {
  const { length } = cores
  const columns = {
    length,
    hours: Int32Array.from(cores, (_, index) => firstHour + index),
    seconds: new Uint16Array(length).fill(3600),
    lasts: new Uint16Array(length),
    cores: Float32Array.from(cores),
    gib: new Float32Array(length),
  }
  const setting = { ...noSetting, node: 'n1', cpuRequestCores: requestCores }
  return new HourlyUse(columns, [{ from: 0, setting }])
}

const sinceOf = (...pods: readonly HourlyUse[]): number => {
  const idle = new IdleUse()
  for (const pod of pods) idle.add(pod)
  return idle.sinceHour
}

test.each<[string, readonly HourlyUse[], number]>([
  ['never busy: since it was first seen', [podOf(100, [0, 0.0005, 0])], 100],
  ['after its last busy hour', [podOf(100, [0.2, 0.2, 0, 0])], 102],
  ['busy to the end', [podOf(100, [0, 0, 0.2])], 103],
  ['a hundredth of a large request is nothing', [podOf(100, [0, 0.009, 0.009], 1)], 100],
  ['of a very large request, a hundredth of a core', [podOf(100, [0, 0.009, 0.011, 0], 10)], 103],
  ['more than that is something', [podOf(100, [0, 0.011, 0], 1)], 102],
  ['the busiest pod counts', [podOf(100, [0, 0, 0, 0]), podOf(99, [0.1, 0.1, 0.1, 0])], 102],
  ['whichever comes first', [podOf(99, [0.1, 0.1, 0.1, 0]), podOf(100, [0, 0, 0, 0])], 102],
  ['unseen', [podOf(100, [])], Number.POSITIVE_INFINITY],
])('%s', (_, pods, since) => {
  expect(sinceOf(...pods)).toBe(since)
})
