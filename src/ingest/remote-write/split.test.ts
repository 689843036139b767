import { expect, test } from 'vitest'
import { decodeRequest, type MessageFormat } from './decode.ts'
import { encodeRequest } from './encode.case.ts'
import { ignored, type LabelPairs, Resolver } from './resolver.ts'
import { Batch } from './samples.ts'
import { RequestSplitter } from './split.ts'
import { defaultLimits } from './wire.ts'

const series = (pod: number, more: object = {}) => ({
  labels: [
    ['__name__', 'used'],
    ['long', 'x'.repeat(300)],
    ['pod', `p${pod}`],
    ['ünï', '✓'],
  ] as LabelPairs,
  samples: [0, 1, 2].map((n) => ({ timeMs: 1000 * n, value: pod + n / 10 })),
  ...more,
})

/**
 * Reads a request back: labels of the series, samples and ranges. The number of a series is that of its pod, and series
 * without a pod are ignored.
 */
function read(body: Uint8Array, format: MessageFormat) {
  const seen: string[] = []
  const batch = new Batch()
  batch.ranges = []
  const number = (labels: LabelPairs) => {
    const pod = labels.find(([name]) => name === 'pod')
    seen.push(labels.map((pair) => pair.join('=')).join(','))
    return pod === undefined ? ignored : Number(pod[1].slice(1))
  }
  const resolver = new Resolver({ mayUnderstand: () => true, number }, 1e9)
  const message = decodeRequest(body, format, resolver, defaultLimits, batch).slice()
  const samples = Array.from({ length: batch.count }, (_, n) => [
    batch.series[n],
    batch.timesMs[n],
    batch.values[n],
  ])
  return { message, ranges: [...batch.ranges], seen, samples, staleMarkers: batch.staleMarkers }
}

test.each(['remote-write-1', 'remote-write-2'] as const)(
  'the parts of a request together contain its used series, each in its own part: %s',
  (format) => {
    const list = [
      series(1),
      series(2, { histograms: 2, exemplars: 1 }),
      { labels: [['__name__', 'of no use']] as LabelPairs, samples: [{ timeMs: 1, value: 1 }] },
      series(3, { samples: [{ timeMs: 7, value: 'stale' }] }),
      series(4),
      series(5),
    ]
    const whole = read(encodeRequest(list, format), format)
    const parts = new RequestSplitter().split(whole.message, format, whole.ranges, (pod) => pod % 2)
    expect([...parts.keys()].toSorted()).toEqual([0, 1])
    const again = [...parts].map(([part, body]) => ({ part, ...read(body, 'remote-write-1') }))
    for (const { part, samples } of again)
      for (const [pod] of samples) expect(pod! % 2, `pod ${pod}`).toBe(part)
    expect(again.flatMap(({ samples }) => samples).toSorted()).toEqual(whole.samples.toSorted())
    expect(again.reduce((sum, { staleMarkers }) => sum + staleMarkers, 0)).toBe(1)
    const used = (seen: string[]) => seen.filter((labels) => labels.includes('pod=')).toSorted()
    expect(used(again.flatMap(({ seen }) => seen))).toEqual(used(whole.seen))
  },
)

test('the parts of a request are kept while others are divided, also large ones', () => {
  const splitter = new RequestSplitter()
  const divided = [20, 16_000, 30].map((count) => {
    const whole = read(
      encodeRequest(Array.from({ length: count }, (_, pod) => series(pod))),
      'remote-write-1',
    )
    return { whole, parts: splitter.split(whole.message, 'remote-write-1', whole.ranges, (pod) => pod % 3) }
  })
  expect(divided[1]!.whole.message.length).toBeGreaterThan(4 << 20)
  for (const { whole, parts } of divided) {
    const again = [...parts.values()].flatMap((body) => read(body, 'remote-write-1').samples)
    expect(again.toSorted(byNumbers)).toEqual(whole.samples.toSorted(byNumbers))
  }
})

function byNumbers(a: readonly (number | undefined)[], b: readonly (number | undefined)[]): number {
  return a[0]! - b[0]! || a[1]! - b[1]!
}
