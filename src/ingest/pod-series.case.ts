import type { SeriesToWrite } from './remote-write/encode.case.ts'

/** One memory sample for each of `count` pods, which are numbered from `first` on. */
export const podSeries = (first: number, count: number, timeMs: number): SeriesToWrite[] =>
  Array.from({ length: count }, (_, n) => podSample(`p${first + n}`, timeMs))

export const podSample = (pod: string, timeMs: number): SeriesToWrite => ({
  labels: [
    ['__name__', 'container_memory_working_set_bytes'],
    ['container', 'app'],
    ['namespace', 'shop'],
    ['pod', pod],
  ],
  samples: [{ timeMs, value: 1 }],
})
