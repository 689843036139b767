import type { ContainerSubject } from '../../domain/subject.ts'
import { hourMs } from '../../domain/time.ts'
import type { SeriesMeaning } from '../../domain/usage-series.ts'
import type { SubjectRow } from '../port.ts'
import { combineHours } from '../reading/pod-usage.ts'
import { Accumulator } from './accumulator.ts'
import { collectChanges } from './checkpoint.ts'
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
