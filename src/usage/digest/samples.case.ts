import fc from 'fast-check'
import type { ContainerSubject } from '../../domain/subject.ts'
import { hourMs } from '../../domain/time.ts'
import type { SeriesMeaning } from '../../domain/usage-series.ts'
import type { SubjectRow } from '../port.ts'
import { combineHours } from '../reading/pod-usage.ts'
import { Accumulator } from './accumulator.ts'
import { collectChanges, restoreAccumulator, settleChanges } from './checkpoint.ts'
import { decodeDigests, encodeDigests } from './codec.ts'
import type { Digest } from './digest.ts'

export const limits = { maxAgeMs: 48 * hourMs, maxAheadMs: 10 * 60_000, maxSubjects: 1000 }
export const t0 = 490_000 * hourMs
export const subject: ContainerSubject = {
  kind: 'container',
  cluster: 'c',
  namespace: 'n',
  pod: 'web-7-x',
  container: 'web',
}

type MeasureMeaning = SeriesMeaning & { fact: 'measure' }
export const measure = (
  name: MeasureMeaning['measure'],
  more: Partial<MeasureMeaning> = {},
): SeriesMeaning => ({
  fact: 'measure',
  measure: name,
  subject,
  instance: 1,
  source: 1,
  rank: 0,
  ...more,
})

export type Sample = readonly [SeriesMeaning, number, number]

/** Returns the digests of the only subject after all samples, each of which is [meaning, seconds after t0, value]. */
export function digest(samples: readonly Sample[], into = new Accumulator(limits)): Digest[] {
  feed(into, samples)
  return combine(collectChanges(into).subjects)
}

export function feed(into: Accumulator, samples: readonly Sample[]): void {
  for (const [meaning, seconds, value] of samples)
    into.sample(into.register(meaning)!, t0 + seconds * 1000, value, t0 + 3 * hourMs)
}

export const combine = (rows: readonly SubjectRow[]): Digest[] =>
  combineHours(
    rows.flatMap(({ digests }) =>
      digests.flatMap(({ bytes }) => decodeDigests(bytes).map((digest) => ({ source: '', digest }))),
    ),
  )

export const bytesOf = (digests: readonly Digest[]) => Buffer.from(encodeDigests(digests)).toString('hex')

/** Sizes of batches, and what happens after each: it is committed, the process crashes, or the batch is sent again. */
export const crashes = fc.array(fc.tuple(fc.nat({ max: 12 }), fc.constantFrom('keep', 'crash', 'again')))
type Crashes = readonly (readonly [number, 'keep' | 'crash' | 'again'])[]

/** Does the same as `digest` in batches. A crash loses what is in memory; the journal since the last commit is read again. */
export function digestWithCrashes(samples: readonly Sample[], plan: Crashes): Digest[] {
  const kept = new Map<string, SubjectRow['digests'][number]>()
  const states = new Map<string, Uint8Array>()
  let epoch = 0
  let into = new Accumulator(limits)
  let journal: Sample[] = []
  const commit = () => {
    const changes = collectChanges(into)
    for (const { key, state, digests } of changes.subjects) {
      states.set(key, state)
      for (const row of digests) kept.set(`${epoch} ${row.hour} ${row.part}`, row)
    }
    settleChanges(into, changes)
    journal = []
  }
  let next = 0
  for (const [count, fate] of plan) {
    const batch = samples.slice(next, next + count)
    next += batch.length
    feed(into, batch)
    journal.push(...batch)
    if (fate === 'keep') commit()
    if (fate === 'again') feed(into, batch)
    if (fate === 'crash') {
      epoch++
      into = new Accumulator(limits)
      const subjects = [...states].map(([key, state]) => ({ key, state }))
      restoreAccumulator(into, { epoch, resume: '', subjects, entities: [] })
      feed(into, journal)
    }
  }
  feed(into, samples.slice(next))
  commit()
  return combine([{ key: '', subject, state: new Uint8Array(), digests: [...kept.values()] }])
}
