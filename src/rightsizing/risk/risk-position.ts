import type { Resource } from '../input.ts'
import type { BaseName } from '../model/bases.ts'
import { type Decision, decide, type Outlook } from './decide.ts'
import type { ProfileName } from './ladder.ts'
import { nominalRisks, profileLevels, riskLevels } from './ladder.ts'

/** A place on the ladder, from 0 (loose) to its last rung; between two rungs the answer lies between theirs. */
type RiskPosition = number

/** The position on the scale for a profile or for a numeric risk. */
export function riskPositionOf(
  resource: Resource,
  preference: { readonly profile?: ProfileName; readonly risk?: number },
  risks: readonly number[] = nominalRisks[resource],
): RiskPosition {
  if (preference.risk === undefined || !(preference.risk >= 0))
    return profileLevels[preference.profile ?? 'balanced']
  const falling = neverRising(risks)
  const last = falling.length - 1
  if (preference.risk >= falling[0]!) return 0
  if (preference.risk <= falling[last]!) return last
  const next = falling.findIndex((risk) => risk <= preference.risk!)
  const [loose, strict] = [falling[next - 1]!, falling[next]!]
  return next - 1 + Math.log(loose / preference.risk) / Math.log(loose / strict)
}

/** Answers of all rungs, each at least the one before it: a stricter risk never asks for less. */
export function decideAllLevels(resource: Resource, outlooks: ReadonlyMap<BaseName, Outlook>): Decision[] {
  const answers: Decision[] = []
  for (const rung of riskLevels[resource]) {
    const own = decide(outlooks.get(rung.base)!, rung.prices)
    const before = answers.at(-1)
    answers.push(before && before.request > own.request ? before : own)
  }
  return answers
}

export function requestAt(answers: readonly Decision[], position: RiskPosition): number {
  const place = Math.max(0, Math.min(answers.length - 1, position))
  const below = Math.floor(place)
  const [a, b] = [answers[below]!.request, answers[Math.min(below + 1, answers.length - 1)]!.request]
  return a * (b / a) ** (place - below)
}

function neverRising(risks: readonly number[]): number[] {
  const falling: number[] = []
  for (const risk of risks) falling.push(Math.max(1e-6, Math.min(risk, falling.at(-1) ?? 1)))
  return falling
}
