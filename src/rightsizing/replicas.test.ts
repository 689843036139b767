import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AutoscaledWorkload, adviseReplicas, type ReplicaHour, replicaReason } from './replicas.ts'
import { prices } from './usage.case.ts'

/** Ten replicas of one core at 50%: two cores at night, four by day, held by a minimum of ten. */
const hours = Array.from({ length: 14 * 24 }, (_, hour) => ({
  replicas: 10,
  cores: hour % 24 < 12 ? 2 : 4,
  gib: 10,
}))
const web: AutoscaledWorkload = {
  hours,
  currentCores: 1,
  cores: 1,
  currentGib: 2,
  gib: 2,
  min: 10,
  max: 20,
  target: 0.5,
  burst: 1.3,
  prices,
}

test('a minimum that holds replicas is lowered, and the target leaves room for bursts', () => {
  const recommendation = adviseReplicas(web)!
  expect(recommendation).toMatchObject({ min: 4, max: 20, replicasNow: 10, days: 14 })
  expect(recommendation.target).toBeCloseTo(0.75)
  // Three replicas carry two cores, but usage then rises to four cores within an hour.
  expect(recommendation.replicas).toBeCloseTo((4 + 6) / 2)
  expect(replicaReason(recommendation).says).toBe(
    `Replicas: with a minimum of 4 (now 10), a maximum of 20 (as it is), and a target of 75% (now 50%) of the CPU request, the autoscaler would have run 5.0 replicas of the recommended size on average instead of 10.0 in the last 14 days, which saves $${recommendation.savedPerMonthUsd.toFixed(2)} a month.`,
  )
})

test.each<[string, Partial<AutoscaledWorkload>]>([
  ['less than a week', { hours: hours.slice(0, 100) }],
  ['a saving below a tenth', { min: 2, target: 0.75 }],
  ['usage that rises far above its mean', { min: 2, burst: 4 }],
  ['more replicas than CPU explains', { min: 2, hours: hours.map((hour) => ({ ...hour, replicas: 19 })) }],
  [
    'an unknown minimum is the fewest seen',
    {
      min: undefined,
      hours: hours.map(({ cores }) => ({ cores, gib: cores, replicas: 2 * cores })),
      burst: 2,
    },
  ],
])('nothing is advised: %s', (_, more) => {
  expect(adviseReplicas({ ...web, ...more })).toBeUndefined()
})

/** Ten replicas that take half a GiB each, and as much again for each core; the autoscaler keeps them at 80% of 2 GiB. */
const byMemory: AutoscaledWorkload = {
  ...web,
  hours: hours.map((hour) => ({ ...hour, gib: 10 * 0.5 + 0.5 * hour.cores })),
  target: undefined,
  memoryTarget: 0.8,
}

test('the minimum of an autoscaler that follows memory is lowered as far as load was seen', () => {
  const recommendation = adviseReplicas(byMemory)!
  expect(recommendation).toMatchObject({ min: 5, max: 20, target: undefined, replicasNow: 10, replicas: 5 })
  expect(replicaReason(recommendation).says).toContain(
    'Replicas: with a minimum of 5 (now 10), and a maximum of 20 (as it is), the autoscaler would have run 5.0',
  )
})

test('memory is the same in each replica if load never changed', () => {
  const steady = hours.map((hour) => ({ ...hour, cores: 5, gib: 10 }))
  expect(adviseReplicas({ ...byMemory, hours: steady })).toMatchObject({
    min: 5,
    replicas: 5,
    replicasNow: 10,
  })
})

test('both targets hold', () => {
  expect(adviseReplicas({ ...byMemory, target: 0.5 })).toMatchObject({ min: 5, target: 0.75 })
  // Memory asks for 4 cores x 2 GiB / (1.6 - 1.2 GiB) = 20 replicas.
  const heavy = hours.map((hour) => ({ ...hour, replicas: 10, gib: 10 * 1.2 + 2 * hour.cores }))
  expect(adviseReplicas({ ...byMemory, hours: heavy, max: 10 })).toBeUndefined()
})

test('replicas that are above the target whatever they do are no case for a recommendation', () => {
  const idle = hours.map((hour) => ({ ...hour, replicas: 20, gib: 20 * 1.7 }))
  expect(adviseReplicas({ ...byMemory, hours: idle })).toBeUndefined()
})

test('a maximum that was reached is raised', () => {
  const rise = new Map([5, 6.5, 8.5, 11, 14.5, 18].map((cores, at) => [at + 15, cores]))
  const busy = hours.map((hour, at) => ({ ...hour, cores: rise.get(at % 24) ?? hour.cores }))
  expect(adviseReplicas({ ...web, hours: busy })).toMatchObject({ max: 30 })
})

const anyWorkload = fc
  .record({
    usage: fc.array(fc.double({ min: 0.01, max: 40, noNaN: true }), { minLength: 24, maxLength: 24 }),
    cores: fc.double({ min: 0.05, max: 4, noNaN: true }),
    min: fc.integer({ min: 1, max: 30 }),
    more: fc.integer({ min: 0, max: 60 }),
    target: fc.integer({ min: 10, max: 95 }),
    burst: fc.double({ min: 1, max: 5, noNaN: true }),
  })
  .map(({ usage, cores, min, more, target, burst }): AutoscaledWorkload => {
    const max = min + more
    const replicasOf = (used: number): number =>
      Math.max(min, Math.min(max, Math.ceil(used / (cores * (target / 100)))))
    const seen: ReplicaHour[] = Array.from({ length: 8 * 24 }, (_, hour) => {
      const used = usage[hour % 24]!
      return { cores: used, gib: 0, replicas: replicasOf(used) }
    })
    return {
      hours: seen,
      currentCores: cores,
      cores,
      currentGib: 1,
      gib: 1,
      min,
      max,
      target: target / 100,
      burst,
      prices,
    }
  })

test('what is advised saves, carries every hour that was carried before, and leads to no further recommendation', () => {
  fc.assert(
    fc.property(anyWorkload, (workload) => {
      const recommendation = adviseReplicas(workload)
      if (recommendation === undefined) return
      const { min, max, target, replicas, replicasNow, savedPerMonthUsd } = recommendation
      expect(replicas).toBeLessThanOrEqual(0.9 * replicasNow)
      expect(savedPerMonthUsd).toBeGreaterThan(0)
      expect(min).toBeLessThanOrEqual(workload.min!)
      expect(min).toBeGreaterThanOrEqual(Math.min(2, workload.min!))
      expect(max).toBeGreaterThanOrEqual(workload.max)
      expect(target).toBeGreaterThanOrEqual(workload.target!)
      let before = max
      for (const { cores } of workload.hours) {
        const then = Math.max(min, Math.ceil(cores / (workload.cores * target!)))
        expect(then * workload.cores * (1 + 1e-9)).toBeGreaterThanOrEqual(cores)
        // Until there are more replicas, those of the hour before carry it, if the minimum carried it before.
        expect(Math.max(before, min) * workload.cores * (1 + 1e-9)).toBeGreaterThanOrEqual(
          Math.min(cores, workload.min! * workload.cores),
        )
        before = then
      }
      const applied = workload.hours.map((hour) => ({
        ...hour,
        replicas: Math.max(min, Math.min(max, Math.ceil(hour.cores / (workload.cores * target!) - 1e-9))),
      }))
      expect(adviseReplicas({ ...workload, hours: applied, min, max, target })).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})
