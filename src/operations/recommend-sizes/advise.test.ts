import { describe, expect, test } from 'vitest'
import type { ContainerHistory } from './advice.ts'
import { advisorNamed, profiles } from './advisors.ts'
import { pooledSpans } from './containers.ts'
import { firstHour, type Invented, podOf } from './pods.case.ts'

const days = 10
const now = { cpuRequest: 2, cpuLimit: undefined, memoryRequest: 4, memoryLimit: 4 }
const unscaled = { cpu: undefined, memory: undefined }

function check(profile: string, pod: Invented, over: Partial<ContainerHistory> = {}) {
  const hours = { from: firstHour, to: firstHour + days * 24 }
  const spans = pooledSpans([podOf({ hours: days * 24, ...pod }, hours)])
  const history = {
    kind: 'Deployment',
    init: false,
    spans,
    busiest: undefined,
    atHour: hours.to,
    now,
    scaledAt: unscaled,
  }
  return advisorNamed(profile, undefined)!({ ...history, ...over })
}
const wave = {
  cores: (hour: number) => (hour % 24 === 9 ? 1 : 0.2),
  gib: (hour: number) => 1 + (hour % 5) / 10,
}

describe.each(profiles)('%s', (profile) => {
  test('has a target within its bounds, confidence and reasons', () => {
    const { cpu, memory, confidence, reasons } = check(profile, wave)
    for (const band of [cpu!, memory!]) {
      expect(band.lower).toBeLessThanOrEqual(band.target)
      expect(band.upper).toBeGreaterThanOrEqual(band.target)
    }
    // The median at least; at most twice the highest.
    expect(cpu!.target).toBeGreaterThanOrEqual(0.19)
    expect(cpu!.target).toBeLessThanOrEqual(2)
    expect(memory!.target).toBeGreaterThanOrEqual(1.1)
    expect(memory!.target).toBeLessThanOrEqual(2.8)
    expect(confidence).toBeGreaterThan(0)
    expect(confidence).toBeLessThanOrEqual(1)
    expect(reasons.length).toBeGreaterThan(0)
  })

  test('of nothing is nothing, with the reason', () => {
    const { cpu, memory, confidence, reasons } = check(profile, {}, { spans: [] })
    expect([cpu, memory, confidence]).toEqual([null, null, 0])
    expect(reasons.join()).toContain('Too little data')
  })

  test('of one hour is no absurd number', () => {
    const { cpu, memory, confidence } = check(profile, { ...wave, hours: 1, from: firstHour + days * 24 - 1 })
    expect(cpu!.target).toBeGreaterThan(0)
    expect(cpu!.target).toBeLessThan(5)
    expect(memory!.target).toBeLessThan(5)
    expect(confidence).toBeLessThan(0.2)
  })
})

describe('our own', () => {
  test('safe asks for no less than balanced, and that for no less than cost', () => {
    const [cost, balanced, safe] = ['cost', 'balanced', 'safe'].map((profile) => check(profile, wave))
    for (const resource of ['cpu', 'memory'] as const) {
      expect(balanced![resource]!.target).toBeGreaterThanOrEqual(cost![resource]!.target)
      expect(safe![resource]!.target).toBeGreaterThanOrEqual(balanced![resource]!.target)
    }
  })

  test('raises memory after a kill', () => {
    const { memory, reasons } = check('balanced', { ...wave, oomEvents: 1 })
    expect(memory!.target).toBeGreaterThanOrEqual(4 * 1.2)
    expect(reasons.join()).toContain('killed for lack of memory')
  })

  test('leaves alone what an autoscaler looks at', () => {
    const { cpu, reasons } = check('balanced', wave, { scaledAt: { cpu: 70, memory: undefined } })
    expect(cpu!.target).toBe(2)
    expect(reasons.join()).toContain('autoscaler')
  })

  test('serves the busiest pod', () => {
    const hours = { from: firstHour, to: firstHour + days * 24 }
    const busiest = pooledSpans([podOf({ hours: days * 24, cores: 1.5, gib: 1 }, hours)])
    expect(check('balanced', wave, { busiest }).cpu!.target).toBeGreaterThanOrEqual(1.5)
  })
})
