import type { BaseExperience } from './prior.ts'

/** A day like those learnt from lies outside the range of 98% of them with about this share of its features. */
const usualShare = 0.05
/** With this share outside, experience says nothing of it. */
const unlikeShare = 0.25

/**
 * How like a series is to those that experience comes from: 1 where no more than 5% of its features lie outside the range of 98%
 * of the days learnt from, 0 from 25% on, and by a straight line between. Unknown features do not count.
 */
export function familiarityOf(
  features: Float32Array,
  { lows, highs }: Pick<BaseExperience, 'lows' | 'highs'>,
): number {
  let [known, outside] = [0, 0]
  for (let i = 0; i < lows.length; i++) {
    const feature = features[i]!
    if (Number.isNaN(feature)) continue
    known++
    if (feature < lows[i]! || feature > highs[i]!) outside++
  }
  if (known === 0) return 0
  return Math.max(0, Math.min(1, (unlikeShare - outside / known) / (unlikeShare - usualShare)))
}
