import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundUpSize } from '../advisor.ts'
import type { EvidenceContext } from '../context.ts'
import { gatherEvidence } from '../evidence.ts'
import { dailyUsage } from '../history/days.ts'
import { resourceHistory } from '../history/history.ts'
import type { Resource, UsageSpan } from '../input.ts'
import { trainModel } from '../model/model.ts'
import { recommend } from '../recommend.ts'
import { profileNames } from '../risk/levels.ts'
import { sizeFromEvidence } from '../size-from-evidence.ts'
import { applied, prices, requestInForce, resources, spansOf } from '../usage.case.ts'
import { anyWorkload as workloads } from '../workload.case.ts'
import type { RequestsAndLimits, Workload } from '../workload.ts'

/** A limit is never less than the request. */
const anyWorkload = workloads.map(({ made, atHour }) => {
  const { cpuRequest = 0, cpuLimit, memoryRequest = 0, memoryLimit } = made.current ?? {}
  const current = {
    ...made.current,
    ...(cpuLimit === undefined ? {} : { cpuLimit: Math.max(cpuRequest, cpuLimit) }),
    ...(memoryLimit === undefined ? {} : { memoryLimit: Math.max(memoryRequest, memoryLimit) }),
  }
  return { made: { ...made, current }, atHour }
})
const rounding = 1 + 1e-9
/** A size is rounded up to a millicore or a MiB. */
const step = { cpu: 0.001, memory: 1 / 1024 } as const
const anyProfile = fc.constantFrom(...profileNames)

test('no limit is lowered below the peak plus 15%, nor a CPU limit below 0.1 cores', () => {
  const facts = fc.record({ rssGib: fc.constant(0.3), cacheGib: fc.constant(5), mappedGib: fc.constant(0) })
  fc.assert(
    fc.property(
      anyWorkload,
      anyProfile,
      fc.option(facts, { nil: {} }),
      ({ made, atHour }, profile, memoryFacts) => {
        const { current = {} } = made
        const evidence = gatherEvidence({ ...made, memoryFacts }, { atHour, model: {} })
        const options = { prices, preference: { profile }, round: roundUpSize }
        const after = applied(sizeFromEvidence(evidence, current, options), current)
        for (const resource of resources) {
          const [before, now] = [current[`${resource}Limit`], after[`${resource}Limit`]]
          if (before === undefined || now === undefined || now >= before) continue
          expect(now * rounding).toBeGreaterThanOrEqual(Math.min(before, evidence[resource]!.peakSeen * 1.15))
          if (resource === 'cpu') expect(now * rounding).toBeGreaterThanOrEqual(Math.min(before, 0.1))
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('nothing is raised above the peak plus 15% without a kill, throttling or a trend', () => {
  fc.assert(
    fc.property(anyWorkload, anyProfile, ({ made, atHour }, profile) => {
      const { current = {} } = made
      const evidence = gatherEvidence(made, { atHour, model: {} })
      const after = applied(sizeFromEvidence(evidence, current, { prices, preference: { profile } }), current)
      for (const resource of resources) {
        const { peakSeen, growth } = evidence[resource]!
        const isStarved = (evidence.cpu?.throttledShare ?? 0) > 0.05 || evidence.memory?.kills !== undefined
        if (growth !== undefined || isStarved) continue
        const [before, now] = [requestInForce(current, resource), requestInForce(after, resource)]
        if (before === undefined || now === undefined) continue
        expect(now).toBeLessThanOrEqual(Math.max(before, peakSeen * 1.15) * rounding)
        const limits = [current[`${resource}Limit`], after[`${resource}Limit`]]
        if (limits[0] !== undefined) expect(limits[1]).toBeLessThanOrEqual(limits[0] * rounding)
      }
    }),
    { numRuns: 60 },
  )
})

test('a request in force that is finer than a millicore is not raised by rounding', () => {
  const spans = spansOf(14, { cpu: () => [0.0016] })
  const current = { cpuRequest: 0.0065 }
  const made = recommend({ spans, current }, { atHour: 14 * 24, model: {}, prices, round: roundUpSize })
  expect(applied(made, current)).toEqual(current)
})

test('page cache that fills any limit leads to no second raise', () => {
  const gib = fc.double({ min: 0.2, max: 8, noNaN: true })
  const facts = fc.constantFrom(
    {},
    { rssGib: 0.1, cacheGib: 100, mappedGib: 0 },
    { rssGib: 0.1, cacheGib: 100 },
  )
  fc.assert(
    fc.property(gib, gib, facts, anyProfile, (request, more, memoryFacts, profile) => {
      let current: RequestsAndLimits = {
        memoryRequest: request,
        memoryLimit: request + (more > 4 ? more : 0),
      }
      const limits: number[] = []
      let raises = 0
      for (let week = 2; week < 7; week++) {
        limits.push(current.memoryLimit!, current.memoryLimit!)
        const filled = (hour: number): number[] => [
          limits[Math.min(limits.length - 1, Math.floor(hour / 84))]!,
        ]
        const spans = spansOf(week * 7, { gib: filled })
        const made = recommend(
          { spans, current, memoryFacts },
          { atHour: week * 168, model: {}, prices, preference: { profile }, round: roundUpSize },
        )
        const after = applied(made, current)
        if (after.memoryRequest! > current.memoryRequest!) raises++
        expect(after.memoryLimit).toBeLessThanOrEqual(current.memoryLimit! + step.memory)
        current = after
      }
      expect(raises).toBeLessThanOrEqual(1)
    }),
    { numRuns: 15 },
  )
})

test('a stricter profile never leaves a smaller request or limit in force', () => {
  fc.assert(
    fc.property(anyWorkload, ({ made, atHour }) => {
      const { current = {} } = made
      const evidence = gatherEvidence(made, { atHour, model: {} })
      const [cost, balanced, safe] = profileNames.map((profile) =>
        applied(sizeFromEvidence(evidence, current, { prices, preference: { profile } }), current),
      )
      for (const [loose, strict] of [
        [cost, balanced],
        [balanced, safe],
      ])
        for (const resource of resources)
          expect(requestInForce(strict!, resource)! * rounding).toBeGreaterThanOrEqual(
            requestInForce(loose!, resource)!,
          )
    }),
    { numRuns: 60 },
  )
})

const fleet = Array.from({ length: 30 }, (_, id) => {
  const at = (hour: number): number => 0.3 + (id % 7) / 4 + 0.2 * Math.sin(hour / (3 + (id % 5)))
  const spans = spansOf(9, { cpu: (hour) => [at(hour), at(hour) * 1.2], gib: (hour) => [at(hour) * 2] })
  const usageOf = (resource: Resource) => dailyUsage(resourceHistory(spans, resource), 9 * 24)
  return { id: String(id).padStart(3, '0'), usage: { cpu: usageOf('cpu'), memory: usageOf('memory') } }
})

test('a newly trained model moves no size by more than 20% a day, and arrives', () => {
  const model = trainModel(fleet)
  fc.assert(
    fc.property(anyWorkload, anyProfile, ({ made, atHour }, profile) => {
      const options = { prices, preference: { profile } }
      let before = gatherEvidence(made, { atHour, model: {} })
      const target = gatherEvidence(made, { atHour, model, modelVersion: '1' })
      for (let day = 0; day < 30; day++) {
        const after = gatherEvidence(made, { atHour, model, modelVersion: '1', before })
        const [one, next] = [before, after].map((evidence) => sizeFromEvidence(evidence, {}, options))
        for (const resource of resources) {
          const ratio = next![resource]!.target / one![resource]!.target
          expect(ratio).toBeLessThanOrEqual(1.2 * rounding)
          expect(ratio * rounding).toBeGreaterThanOrEqual(0.8)
        }
        before = after
        if (!after.modelMoves) break
      }
      expect(before).toEqual(target)
    }),
    { numRuns: 20 },
  )
})

test('a new model limits only what the model changed: usage moves sizes at once', () => {
  const model = trainModel(fleet)
  fc.assert(
    fc.property(anyWorkload, fc.integer({ min: 1, max: 3 }), ({ made, atHour }, days) => {
      const spans = made.spans.map((span) => ({ ...span, oomKills: 0 }))
      const grown = { ...made, spans }
      const hourBefore = Math.max(24, atHour - days * 24)
      const evidenceAt = (hour: number, more: Partial<EvidenceContext>) =>
        gatherEvidence(grown, { atHour: hour, model: {}, ...more })
      const own = { model, modelVersion: '1' }
      const [then, now] = [evidenceAt(hourBefore, own), evidenceAt(atHour, own)]
      // A model that judges as the one before changes nothing.
      expect(evidenceAt(atHour, { ...own, modelVersion: '2', before: then })).toEqual({
        ...now,
        modelVersion: '2',
      })
      const before = evidenceAt(hourBefore, {})
      const kept = evidenceAt(atHour, { ...own, before })
      const most = 1.2 ** Math.max(1, Math.floor((atHour - hourBefore) / 24))
      for (const resource of resources)
        for (const [index, level] of kept[resource]!.together.levels.entries()) {
          const [old, early, asked] = [before, then, now].map((one) => one[resource]!.together.levels[index]!)
          const ofUsage = asked! / early!
          expect(level).toBeLessThanOrEqual(old! * Math.max(1, ofUsage) * most * rounding)
          expect(level * rounding).toBeGreaterThanOrEqual((old! * Math.min(1, ofUsage)) / most)
          if (asked! <= old! * Math.max(1, ofUsage) * most && asked! >= (old! * Math.min(1, ofUsage)) / most)
            expect(level).toBe(asked)
        }
    }),
    { numRuns: 20 },
  )
})

const anyPattern = fc.array(fc.double({ min: 0.01, max: 4, noNaN: true }), { minLength: 24, maxLength: 24 })

test('applying a recommendation leads to no further change in the same direction within a week', () => {
  const size = fc.option(fc.double({ min: 0.05, max: 12, noNaN: true }), { nil: undefined })
  const sizes = fc.record({ cpuRequest: size, cpuLimit: size, memoryRequest: size, memoryLimit: size })
  const anyWeek = fc.array(anyPattern, { minLength: 7, maxLength: 7 })
  fc.assert(
    fc.property(
      anyWeek,
      sizes,
      fc.constantFrom('balanced', 'safe'),
      fc.integer({ min: 7, max: 20 }),
      (week, first, profile, start) => {
        const at = (hour: number): number => week[Math.floor(hour / 24) % 7]![hour % 24]!
        const usage = (hour: number): number[] => [at(hour), at(hour) * 0.9]
        const all = spansOf(start + 7, { cpu: usage, gib: usage })
        const inForce: RequestsAndLimits[] = [first]
        const directions = { cpu: 0, memory: 0 }
        for (let day = start; day < start + 7; day++) {
          const current = inForce.at(-1)!
          const replaced = inForce.findLast((one) => one.cpuRequest !== current.cpuRequest)
          const replacedMemory = inForce.findLast((one) => one.memoryRequest !== current.memoryRequest)
          const workload = {
            spans: all.slice(0, day * 24),
            current,
            largest: first,
            replaced: { ...replacedMemory, cpuRequest: replaced?.cpuRequest, cpuLimit: replaced?.cpuLimit },
          }
          const evidence = gatherEvidence(workload, { atHour: day * 24, model: {} })
          const options = { prices, preference: { profile }, round: roundUpSize }
          const after = applied(sizeFromEvidence(evidence, current, options), current)
          for (const resource of resources) {
            const [before, now] = [requestInForce(current, resource), requestInForce(after, resource)]
            const direction = before === undefined ? 0 : Math.sign(now! - before)
            if (direction === 0) continue
            const isCaused =
              direction > 0 && (evidence[resource]!.growth !== undefined || now! > before! * 1.5)
            if (!isCaused) expect(direction, `day ${day}`).not.toBe(directions[resource])
            directions[resource] = direction
          }
          inForce.push(after)
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('kills and throttling under an earlier, smaller limit do not raise the one in force again', () => {
  fc.assert(
    fc.property(anyPattern, anyProfile, fc.integer({ min: 1, max: 10 }), (pattern, profile, daysSince) => {
      const days = 14
      const raisedAt = (days - daysSince) * 24
      const usage = (hour: number): number[] => [pattern[hour % 24]!]
      const harm = (hour: number): Partial<UsageSpan> =>
        hour < raisedAt ? { oomKills: hour % 24 === 0 ? 1 : 0, throttledShare: 0.5 } : {}
      const current = { cpuRequest: 5, cpuLimit: 5, memoryRequest: 5, memoryLimit: 5 }
      const spans = spansOf(days, { cpu: usage, gib: usage }, harm)
      const workload: Workload = { spans, current, limitsSince: { cpuHour: raisedAt, memoryHour: raisedAt } }
      const made = recommend(workload, { atHour: days * 24, model: {}, prices, preference: { profile } })
      const after = applied(made, current)
      for (const name of ['cpuLimit', 'memoryLimit', 'cpuRequest', 'memoryRequest'] as const)
        expect(after[name]).toBeLessThanOrEqual(5)
      expect(after.memoryLimit).toBe(5)
      const killedNow = recommend(
        { ...workload, limitsSince: { memoryHour: 0 } },
        { atHour: days * 24, model: {}, prices, preference: { profile } },
      )
      expect(killedNow.memory!.target).toBeGreaterThanOrEqual(6)
    }),
    { numRuns: 20 },
  )
})

test('nothing is cut before a day, and at most half of the way before a week', () => {
  fc.assert(
    fc.property(anyPattern, fc.integer({ min: 7, max: 160 }), (pattern, hours) => {
      const usage = (hour: number): number[] => [pattern[hour % 24]!]
      const spans = spansOf(7, { cpu: usage, gib: usage }).slice(0, hours)
      let current: RequestsAndLimits = { cpuRequest: 50, cpuLimit: 60, memoryRequest: 50, memoryLimit: 60 }
      for (let again = 0; again < 3; again++) {
        const workload = { spans, current, largest: { ...current, cpuRequest: 50, memoryRequest: 50 } }
        current = applied(recommend(workload, { atHour: hours, model: {}, prices }), current)
      }
      const least = hours < 23 ? 50 : 25
      expect(Math.min(current.cpuRequest!, current.memoryRequest!)).toBeGreaterThanOrEqual(least)
    }),
    { numRuns: 20 },
  )
})
