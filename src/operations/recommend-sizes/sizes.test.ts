import { describe, expect, test } from 'vitest'
import type { Advice, Advisor, ContainerHistory } from './advice.ts'
import { containersOf } from './containers.ts'
import { recommendedLimit } from './limits.ts'
import { firstHour, type Invented, podOf } from './pods.case.ts'
import { mostAtOnce } from './replicas.ts'
import { type Occasion, readable, sizeContainer } from './size-container.ts'
import { expectedUtilisation, recommendedQuota, totalsOf } from './totals.ts'
import { whyNot } from './worthwhile.ts'

const to = (cpu: number | null, memory: number | null): Advice => {
  const band = (target: number | null) => target && { target, lower: target / 2, upper: target * 2 }
  const explanation = { cpu: null, memory: null }
  return {
    cpu: band(cpu) || null,
    memory: band(memory) || null,
    confidence: 0.5,
    reasons: ['Because.'],
    explanation,
  }
}
const occasion: Occasion = {
  latestHour: firstHour + 24,
  endAt: (firstHour + 24) * 3600 - 60,
  autoscaler: undefined,
  unitUsd: { cpu: 24 * 0.03, memory: 24 * 0.004 },
}

function check(pods: readonly Invented[], advise: Advisor, over: Partial<Occasion> = {}) {
  const [container] = containersOf(pods.map((pod) => podOf(pod, { from: firstHour, to: firstHour + 24 })))
  return sizeContainer(container!, advise, { ...occasion, ...over })
}
const usual = { cpuRequest: 2, cpuLimit: 4, memoryRequest: 4, memoryLimit: 4, cores: 0.3, gib: 1 }

describe('a recommendation', () => {
  test('is readable, and limits go with it', () => {
    const sized = check([usual], () => to(0.33333, 1.2))
    expect(sized.recommended).toEqual({
      cpuRequest: 0.334,
      cpuLimit: 0.668,
      memoryRequest: readable('memory', 1.2),
      memoryLimit: readable('memory', 1.2),
    })
    expect(sized.lower.cpuLimit).toBeCloseTo(2 * sized.lower.cpuRequest!, 12)
    expect(sized.requests).toEqual({ cpu: 0.334, memory: readable('memory', 1.2) })
  })

  test('of too little data is none, with the reason', () => {
    const sized = check([usual], () => ({ ...to(null, null), reasons: ['Too little data.'] }))
    expect(sized.requests).toEqual({ cpu: undefined, memory: undefined })
    expect(sized.recommended).toEqual(sized.now)
    expect(sized.lower.cpuRequest).toBeUndefined()
    expect(sized.reasons).toEqual(['Too little data.'])
  })

  test.each<[string, Invented, Advice, object]>([
    ['smaller than a tenth', usual, to(1.85, 4.2), { cpu: undefined, memory: undefined }],
    [
      'worth less than a cent',
      { ...usual, cpuRequest: 0.05, memoryRequest: 0.2 },
      to(0.04, 0.1),
      { cpu: undefined },
    ],
    ['small, but it was killed', { ...usual, oomEvents: 1 }, to(2, 4.125), { cpu: undefined, memory: 4.125 }],
    ['small, but it was held back', { ...usual, periods: 9, throttledPeriods: 3 }, to(2.1, 4), { cpu: 2.1 }],
    [
      'where nothing was asked for',
      { cores: 0.01, gib: 0.01 },
      to(0.012, 0.0625),
      { cpu: 0.012, memory: 0.0625 },
    ],
  ])('%s', (_, pod, advice, requests) => {
    expect(check([pod], () => advice).requests).toMatchObject(requests)
  })

  test('says why a change is not proposed', () => {
    expect(check([usual], () => to(1.9, 1)).reasons).toEqual([
      'Because.',
      'CPU stays as it is: a change of less than 10% is not proposed.',
    ])
  })
})

describe('what the advisor is told', () => {
  const told = (pods: readonly Invented[], over: Partial<Occasion> = {}): ContainerHistory => {
    let heard: ContainerHistory | undefined
    check(
      pods,
      (history) => {
        heard = history
        return to(1, 1)
      },
      over,
    )
    return heard!
  }

  test('all replicas together', () => {
    const { spans, busiest, kind } = told([usual, { ...usual, pod: 'web-2', cores: 0.2 }])
    expect(kind).toBe('Deployment')
    expect(spans).toHaveLength(24)
    expect(spans[0]!.cpu!.count).toBe(7200)
    expect(busiest).toBeUndefined()
  })

  test('a busy leader by itself', () => {
    const { busiest } = told([
      { ...usual, cores: 3 },
      { ...usual, pod: 'web-2' },
      { ...usual, pod: 'web-3' },
    ])
    expect(busiest![0]!.cpu!.max).toBe(3_000_000)
  })

  test('what an autoscaler aims at', () => {
    const autoscaler = { maxReplicas: 9, cpuTarget: 70, memoryTarget: undefined }
    expect(told([usual], { autoscaler }).scaledAt).toEqual({ cpu: 70, memory: undefined })
  })
})

describe('replicas', () => {
  test('at the end are those still there; the highest are those at one time', () => {
    const pods = [
      { ...usual, pod: 'old', hours: 10 },
      { ...usual, pod: 'new', from: firstHour + 10, hours: 14 },
      { ...usual, pod: 'burst', from: firstHour + 4, hours: 8 },
    ]
    expect(check(pods, () => to(1, 1)).replicas).toEqual({ atEnd: 1, highest: 2, most: undefined })
  })

  test.each<[number, [number, number][]]>([
    [0, []],
    [1, [[0, 10]]],
    [
      1,
      [
        [0, 10],
        [10, 20],
      ],
    ],
    [
      2,
      [
        [0, 10],
        [9, 20],
      ],
    ],
    [
      3,
      [
        [0, 100],
        [10, 20],
        [15, 30],
        [30, 40],
      ],
    ],
    [1, [[5, 5]]],
  ])('%i at once of %j', (most, lives) => {
    expect(mostAtOnce(lives.map(([from, until]) => ({ from, to: until })))).toBe(most)
  })
})

describe('of a namespace', () => {
  const web = [usual, { ...usual, pod: 'web-2' }].map((pod) => ({ ...pod, container: 'app' }))
  const two = () => [
    check(web, () => to(0.5, 2)),
    check([{ ...usual, workload: 'StatefulSet/db', memoryLimit: 8, cpuLimit: undefined }], () => to(1, 1)),
  ]

  test('totals are value x replicas', () => {
    expect(totalsOf(two())).toEqual({
      now: { cpuRequest: 6, cpuLimit: 8, memoryRequest: 12, memoryLimit: 16 },
      recommended: { cpuRequest: 2, cpuLimit: 2, memoryRequest: 5, memoryLimit: 6 },
    })
  })

  test('the quota is recommended limits at the highest count and a quarter', () => {
    // 2 x 1 core and one of 1 without a limit; 2 x 2 GiB and one of 2.
    expect(recommendedQuota(two())).toEqual({ cpu: 3.75, memory: 7.5 })
  })

  test("an autoscaler's maximum counts, and so does an init container that is larger", () => {
    const autoscaler = { maxReplicas: 4, cpuTarget: 70, memoryTarget: undefined }
    const app = check([usual], () => to(0.5, 2), { autoscaler })
    const init = check([{ ...usual, init: true, container: 'init' }], () => to(3, 1), { autoscaler })
    expect(recommendedQuota([app])).toEqual({ cpu: 5, memory: 10 })
    expect(recommendedQuota([app, init])).toEqual({ cpu: 30, memory: 10 })
  })

  test('utilisation is mean usage over recommended requests', () => {
    // (2 x 0.3 + 0.3) / (2 x 0.5 + 1) and 3 / 5.
    expect(expectedUtilisation(two())).toEqual({ cpu: 45, memory: 60 })
    expect(expectedUtilisation([])).toEqual({ cpu: 0, memory: 0 })
    expect(expectedUtilisation([check([{}], () => to(null, null))])).toEqual({ cpu: 0, memory: 0 })
  })
})

describe('limits', () => {
  test.each([
    ['none stays none', { request: 1, limit: undefined }, 0.5, 3, undefined],
    ['equal stays equal', { request: 1, limit: 1 }, 0.5, 0.9, 0.5],
    ['keeps its proportion', { request: 1, limit: 2 }, 0.5, 0.6, 1],
    ['stays above the peak', { request: 1, limit: 2 }, 0.4, 0.9, 0.9],
    ['but the peak does not raise it above itself', { request: 1, limit: 2 }, 0.4, 7, 2],
    ['a limit alone is the request too', { request: undefined, limit: 2 }, 0.5, 0.4, 0.5],
  ])('%s', (_, now, request, peak, limit) => {
    expect(recommendedLimit(now, request, peak)).toBe(limit)
  })
})

test.each([
  [{ from: 1, to: 1.09, usdPerDay: 9, suffers: false }, '10%'],
  [{ from: 1, to: 1.1, usdPerDay: 9, suffers: false }, undefined],
  [{ from: 1, to: 0.5, usdPerDay: -0.009, suffers: false }, 'cent'],
  [{ from: 1, to: 0.5, usdPerDay: -0.009, suffers: true }, 'cent'],
  [{ from: 1, to: 1.01, usdPerDay: 0.001, suffers: true }, undefined],
  [{ from: undefined, to: 0.01, usdPerDay: 0, suffers: false }, undefined],
])('%j is worth it unless %s', (change, reason) => {
  if (reason === undefined) expect(whyNot(change)).toBeUndefined()
  else expect(whyNot(change)).toContain(reason)
})
