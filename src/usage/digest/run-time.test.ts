import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContainerSubject } from '../../domain/subject.ts'
import type { SeriesMeaning } from '../../domain/usage-series.ts'
import { bytesOf, crashes, digest, digestWithCrashes, measure, type Sample, subject } from './samples.case.ts'

const startOf = (of: ContainerSubject): SeriesMeaning => ({
  fact: 'setting',
  setting: 'started',
  subject: of,
  init: false,
})
const started = startOf(subject)
const t0Seconds = 490_000 * 3600

/** Samples of jobs that run one after the other, each in its own pod, as a scraper takes them. */
function samplesOf(
  jobs: readonly { at: number; seconds: number; cores: number }[],
  everySeconds: number,
  isStartFirst: boolean,
): Sample[] {
  const samples: Sample[] = []
  for (const [index, { at, seconds, cores }] of jobs.entries()) {
    const job = { ...subject, pod: `run-${index}` }
    const cpu = measure('cpu', { subject: job })
    const { cluster, namespace, pod } = job
    const ended: SeriesMeaning = { fact: 'pod', cluster, namespace, pod, texts: {}, isEnd: true }
    for (let now = Math.ceil(at / everySeconds) * everySeconds; now <= at + seconds; now += everySeconds) {
      const both: Sample[] = [
        [cpu, now, cores * (now - at)],
        [startOf(job), now, t0Seconds + at],
      ]
      samples.push(...(isStartFirst ? both.reverse() : both))
    }
    samples.push([ended, at + seconds + 10, t0Seconds + at + seconds])
  }
  return samples
}

/** CPU seconds, and seconds that it ran. */
function totals(samples: readonly Sample[]): { cpu: number; ran: number } {
  const hours = digest(samples)
  return {
    cpu: hours.reduce((sum, { cpu }) => sum + cpu.sum, 0) / 1e6,
    ran: hours.reduce((sum, { cpu }) => sum + cpu.count, 0),
  }
}

/** Jobs of 45 seconds to 10 minutes with pauses of 10 to 20 minutes, so that they lie anywhere among scrapes and hours. */
const jobs = fc
  .array(
    fc.record({ pause: fc.integer({ min: 600, max: 1200 }), seconds: fc.integer({ min: 45, max: 600 }) }),
    { minLength: 1, maxLength: 6 },
  )
  .map((runs) => {
    let at = 100
    return runs.map(({ pause, seconds }, index) => {
      const job = { at: at + pause, seconds, cores: 0.25 + index / 8 }
      at += pause + seconds
      return job
    })
  })

describe('time that a container ran', () => {
  it('counts jobs within 2%, however they lie among the scrapes', () => {
    fc.assert(
      fc.property(jobs, fc.constantFrom(15, 30), fc.boolean(), (runs, every, isStartFirst) => {
        const { cpu, ran } = totals(samplesOf(runs, every, isStartFirst))
        const seconds = runs.reduce((sum, job) => sum + job.seconds, 0)
        const used = runs.reduce((sum, job) => sum + job.seconds * job.cores, 0)
        expect(Math.abs(ran / seconds - 1)).toBeLessThan(0.02)
        expect(Math.abs(cpu / used - 1)).toBeLessThan(0.02)
      }),
    )
  })

  it.for([
    [240, 60],
    [90, 30],
  ])('counts a run of %i seconds, scraped every %i, without its end', ([seconds, every]) => {
    const run = samplesOf([{ at: 0, seconds: seconds!, cores: 1 }], every!, false).filter(
      ([{ fact }]) => fact !== 'pod',
    )
    // The first sample at the start itself has no use yet; without it the first is one interval later.
    expect(totals(run.slice(2))).toEqual({ cpu: seconds, ran: seconds })
  })

  it('does not count from the start of a container that ran long before its first sample', () => {
    const cpu = measure('cpu')
    const samples: Sample[] = [
      [cpu, 600, 500],
      [started, 600, t0Seconds],
      [cpu, 630, 515],
    ]
    expect(totals(samples)).toEqual({ cpu: 15, ran: 30 })
  })

  it('does not count from the start of the container before', () => {
    const [first, second] = [measure('cpu', { instance: 1 }), measure('cpu', { instance: 2 })]
    const samples: Sample[] = [
      [first, 30, 30],
      [started, 30, t0Seconds],
      [first, 60, 60],
      [second, 90, 10],
      [started, 90, t0Seconds],
      [started, 90, t0Seconds + 70],
    ]
    expect(totals(samples)).toEqual({ cpu: 70, ran: 80 })
  })

  it('gives the same after crashes and repeated batches', () => {
    fc.assert(
      fc.property(jobs, fc.boolean(), crashes, (runs, isStartFirst, plan) => {
        const samples = samplesOf(runs, 30, isStartFirst).filter(([{ fact }]) => fact !== 'pod')
        expect(bytesOf(digestWithCrashes(samples, plan))).toBe(bytesOf(digest(samples)))
      }),
    )
  })
})
