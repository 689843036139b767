import { describe, expect, test } from 'vitest'
import { maxConcurrent } from '../../costs/allocation/hour-columns.ts'
import { NamespaceTotals, noQuota } from '../../costs/allocation/totals.ts'
import { DraftBand } from '../../rightsizing/adjustments/band.ts'
import { finishRecommendation } from '../../rightsizing/adjustments/finish.ts'
import { roundUpSize, type SizeAdvisor } from '../../rightsizing/advisor.ts'
import type { Resource } from '../../rightsizing/input.ts'
import type { Workload } from '../../rightsizing/workload.ts'
import { containersOf } from '../../usage/reading/containers.ts'
import { firstHour, podOf, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { type ContainerContext, sizeContainer } from './size-container.ts'

/** An advisor that ignores usage and recommends a fixed target; everything derived from the target is real. */
const to = (cpu: number | null, memory: number | null, reason = 'Because.'): SizeAdvisor => ({
  recommend: (workload, moment) => {
    const part = (resource: Resource, target: number | null) => {
      if (target === null) return null
      const draft = Object.assign(new DraftBand(), { target, lower: target / 2, upper: target * 2 })
      return finishRecommendation(resource, draft, { peak: 0, isStarved: false }, workload, {
        ...moment,
        round: roundUpSize,
      })
    }
    return {
      cpu: part('cpu', cpu),
      memory: part('memory', memory),
      confidence: 0.5,
      days: 1,
      reasons: [reason],
      codes: [],
    }
  },
  explain: () => ({ cpu: null, memory: null }),
})
const occasion: ContainerContext = {
  namespace: 'shop',
  latestHour: firstHour + 24,
  endAt: (firstHour + 24) * 3600 - 60,
  autoscaler: undefined,
  unitUsd: { cpu: 24 * 0.03, memory: 24 * 0.004 },
  explain: false,
  rules: { constraints: {}, origins: [], matched: [] },
}

function check(pods: readonly SyntheticPod[], advisor: SizeAdvisor, over: Partial<ContainerContext> = {}) {
  const [container] = containersOf(pods.map((pod) => podOf(pod, { from: firstHour, to: firstHour + 24 })))
  return sizeContainer(container!, advisor, { ...occasion, ...over })
}
const usual = { cpuRequest: 2, cpuLimit: 4, memoryRequest: 4, memoryLimit: 4, cores: 0.3, gib: 1 }

describe('a recommendation', () => {
  test('is readable and includes limits', () => {
    const sized = check([usual], to(0.33333, 1.2))
    expect(sized.recommended).toEqual({
      cpuRequest: 0.334,
      cpuLimit: 0.668,
      memoryRequest: roundUpSize('memory', 1.2),
      memoryLimit: roundUpSize('memory', 1.2),
    })
    expect(sized.lower.cpuLimit).toBeCloseTo(2 * sized.lower.cpuRequest!, 12)
    expect(sized.requests).toEqual({ cpu: 0.334, memory: roundUpSize('memory', 1.2) })
  })

  test('is missing with a reason if there is too little data', () => {
    const sized = check([usual], to(null, null, 'Too little data.'))
    expect(sized.requests).toEqual({ cpu: undefined, memory: undefined })
    expect(sized.recommended).toEqual(sized.current)
    expect(sized.lower.cpuRequest).toBeUndefined()
    expect(sized.reasons).toEqual(['Too little data.'])
  })

  test.each<[string, SyntheticPod, SizeAdvisor, object]>([
    ['of little size', usual, to(1.85, 4.15), { cpu: undefined, memory: undefined }],
    [
      'worth less than a cent',
      { ...usual, cpuRequest: 0.05, memoryRequest: 0.2 },
      to(0.04, 0.1),
      { cpu: undefined },
    ],
    [
      'where nothing was asked for',
      { cores: 0.01, gib: 0.01 },
      to(0.012, 0.0625),
      { cpu: 0.012, memory: 0.0625 },
    ],
  ])('%s', (_, pod, recommendation, requests) => {
    expect(check([pod], recommendation).requests).toMatchObject(requests)
  })
})

describe('input of the advisor', () => {
  const told = (pods: readonly SyntheticPod[], over: Partial<ContainerContext> = {}): Workload => {
    let heard: Workload | undefined
    const { recommend, explain } = to(1, 1)
    const listening: SizeAdvisor = {
      recommend: (workload, moment) => {
        heard = workload
        return recommend(workload, moment)
      },
      explain,
    }
    check(pods, listening, over)
    return heard!
  }

  test('all replicas together', () => {
    const { spans, busiest, job, replicas } = told([usual, { ...usual, pod: 'web-2', cores: 0.2 }])
    expect(job).toBe(false)
    expect(replicas).toBeCloseTo(2, 2)
    expect(spans).toHaveLength(24)
    expect(spans[0]!.cpu!.count).toBe(7200)
    expect(busiest).toBeUndefined()
  })

  test('a busy leader separately', () => {
    const { busiest } = told([
      { ...usual, cores: 3 },
      { ...usual, pod: 'web-2' },
      { ...usual, pod: 'web-3' },
    ])
    expect(busiest![0]!.cpu!.max).toBe(3_000_000)
  })

  test('the target of an autoscaler', () => {
    const autoscaler = { minReplicas: undefined, maxReplicas: 9, cpuTarget: 70, memoryTarget: undefined }
    expect(told([usual], { autoscaler }).autoscaler).toEqual({ cpuTarget: 0.7, memoryTarget: undefined })
  })
})

describe('replicas', () => {
  test('at the end are those that still run; the highest number is that at one time', () => {
    const pods = [
      { ...usual, pod: 'old', hours: 10 },
      { ...usual, pod: 'new', from: firstHour + 10, hours: 14 },
      { ...usual, pod: 'burst', from: firstHour + 4, hours: 8 },
    ]
    expect(check(pods, to(1, 1)).replicas).toEqual({ atEnd: 1, highest: 2, most: undefined })
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
    expect(maxConcurrent(lives.map(([from, until]) => ({ from, to: until })))).toBe(most)
  })
})

describe('namespaces', () => {
  const web = [usual, { ...usual, pod: 'web-2' }].map((pod) => ({ ...pod, container: 'app' }))
  const two = () => [
    check(web, to(0.5, 2)),
    check([{ ...usual, workload: 'StatefulSet/db', memoryLimit: 8, cpuLimit: undefined }], to(1, 1)),
  ]

  function totalsOf(containers: Parameters<NamespaceTotals['add']>[0][]): NamespaceTotals {
    const totals = new NamespaceTotals()
    for (const container of containers) totals.add(container)
    return totals
  }

  test('totals are value x replicas', () => {
    expect(totalsOf(two()).sizes).toEqual({
      current: { cpuRequest: 6, cpuLimit: 8, memoryRequest: 12, memoryLimit: 16 },
      recommended: { cpuRequest: 2, cpuLimit: 2, memoryRequest: 5, memoryLimit: 6 },
    })
  })

  test('without kube-state-metrics a size is shown, but nothing is counted or changed', () => {
    const bare = { node: null, workload: null, cores: 0.3, gib: 1 }
    const sized = check([bare], to(0.5, 2))
    expect(sized.recommended).toMatchObject({ cpuRequest: 0.5, memoryRequest: 2 })
    expect(sized.requests).toEqual({ cpu: undefined, memory: undefined })
    expect(sized.reasons[0]).toContain('are unknown, because kube-state-metrics')
    const totals = totalsOf([sized])
    expect([totals.sizes.recommended.cpuRequest, totals.quotaFor(noQuota).cpu, totals.unknown]).toEqual([
      0, 0, 1,
    ])
    for (const known of [
      { ...bare, node: 'n1' },
      { ...bare, workload: 'Deployment/web' },
      { ...bare, cpuLimit: 1 },
    ])
      expect(check([known], to(0.5, 2)).hasUnknownRequests).toBe(false)
  })

  test('the quota is recommended limits at the highest count and a quarter', () => {
    // 2 x 1 core and one of 1 without a limit; 2 x 2 GiB and one of 2.
    expect(totalsOf(two()).quotaFor(noQuota)).toEqual({ cpu: 3.75, memory: 7.5 })
  })

  test("an autoscaler's maximum counts, and so does an init container that is larger", () => {
    const autoscaler = { minReplicas: undefined, maxReplicas: 4, cpuTarget: 70, memoryTarget: undefined }
    const app = check([usual], to(0.5, 2), { autoscaler })
    const once = { ...usual, init: true, container: 'init', from: firstHour + 23, hours: 1 }
    const init = check([once], to(3, 1), { autoscaler })
    const sidecar = check([{ ...usual, init: true, container: 'mesh' }], to(3, 1), { autoscaler })
    expect(totalsOf([app]).quotaFor(noQuota)).toEqual({ cpu: 5, memory: 10 })
    expect(totalsOf([app, init]).quotaFor(noQuota)).toEqual({ cpu: 20, memory: 10 })
    expect(totalsOf([app, sidecar]).quotaFor(noQuota)).toEqual({ cpu: 25, memory: 15 })
  })

  test('utilisation is mean usage over recommended requests', () => {
    // (2 x 0.3 + 0.3) / (2 x 0.5 + 1) and 3 / 5.
    expect(totalsOf(two()).utilisation).toEqual({ cpu: 45, memory: 60 })
    expect(totalsOf([]).utilisation).toEqual({ cpu: 0, memory: 0 })
    expect(totalsOf([check([{}], to(null, null))]).utilisation).toEqual({ cpu: 0, memory: 0 })
  })
})
