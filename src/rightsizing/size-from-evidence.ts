import { minSizedHours } from '../domain/recommendation.ts'
import { plural } from '../domain/text.ts'
import { hourSeconds } from '../domain/time.ts'
import { applyConstraints, breaksRatio, historyText, resourceNames } from './adjustments/band.ts'
import type { SizeConstraints } from './constraints/sizing-rules.ts'
import type { SizingOptions } from './context.ts'
import { draftCpu } from './draft-cpu.ts'
import { draftMemory } from './draft-memory.ts'
import { findingsOf } from './findings.ts'
import type { Resource } from './input.ts'
import type { ResourceDraft } from './resource-draft.ts'
import type { SizingEvidence } from './sizing-evidence.ts'
import type { ReasonCode, RequestsAndLimits, SizeRecommendation } from './workload.ts'

/** The fast part of a decision: everything that needs no history. */
export function sizeFromEvidence(
  evidence: SizingEvidence,
  current: RequestsAndLimits,
  given: SizingOptions,
): SizeRecommendation {
  const { constraints = {} } = given
  const { preference = given.preference } = constraints
  const options = preference === undefined ? given : { ...given, preference }
  const { seenHours } = evidence
  const days = seenHours / 24
  if (seenHours < minSizedHours) {
    const reason = `Too little data: usage of only ${seenText(evidence)} is known, and at least ${minSizedHours} hours are needed.`
    return {
      cpu: null,
      memory: null,
      confidence: 0,
      days,
      reasons: [reason],
      codes: [{ code: 'too little data', resource: null, figures: { seenHours } }],
    }
  }
  const findings = findingsOf(evidence, current)
  const findingCodes = findings.map(({ code, figures }) => ({ code, resource: null, figures }))
  if (constraints.exclude) {
    const reasons = [...findings.map(({ says }) => says), excluded]
    const codes = [...findingCodes, { code: 'exclude', resource: null, figures: {} }]
    return { cpu: null, memory: null, confidence: confidenceOf(evidence), days, reasons, codes }
  }
  const cpu = draftCpu(evidence, current, options)
  const memory = draftMemory(evidence, current, options)
  applyConstraints({ cpu: cpu?.draft ?? null, memory: memory?.draft ?? null }, constraints)
  if (cpu !== null && memory !== null) keepRatioOfRequests(cpu, memory, constraints)
  const parts = { cpu: cpu?.finish() ?? null, memory: memory?.finish() ?? null }
  const reasonsOf = (resource: Resource): string[] =>
    parts[resource]?.steps.map(({ says }) => says) ?? [
      `${resourceNames[resource]}: no usage was recorded, so there is no recommendation.`,
    ]
  const codesOf = (resource: Resource): ReasonCode[] =>
    (parts[resource]?.steps ?? []).map(({ by, figures = {} }) => ({ code: by, resource, figures }))
  return {
    ...parts,
    confidence: confidenceOf(evidence),
    days,
    reasons: [
      ...findings.map(({ says }) => says),
      ...generalReasons(evidence),
      ...reasonsOf('cpu'),
      ...reasonsOf('memory'),
    ],
    codes: [...findingCodes, ...codesOf('cpu'), ...codesOf('memory')],
  }
}

const excluded = 'A sizing rule excludes it, so its sizes stay as they are.'

/** If the current request of one resource would stay and break the ratio with the other, both change. */
function keepRatioOfRequests(cpu: ResourceDraft, memory: ResourceDraft, constraints: SizeConstraints): void {
  if (constraints.cpuMemoryRatio === undefined) return
  const [cores, gib] = [cpu.draft.target, memory.draft.target]
  const isBroken = breaksRatio(constraints, cpu.kept() ?? cores, memory.kept() ?? gib)
  // A maximum overrides the ratio.
  if (!isBroken || breaksRatio(constraints, cores, gib)) return
  cpu.draft.mustChange = true
  memory.draft.mustChange = true
}

/** Usage of less than an hour is given in minutes. */
const seenText = ({ seenHours, sampledSeconds = 0 }: SizingEvidence): string =>
  sampledSeconds > 0 && sampledSeconds < hourSeconds
    ? plural(Math.ceil(sampledSeconds / 60), 'minute')
    : plural(Math.floor(seenHours), 'hour')

const ageOf = ({ cpu, memory }: SizingEvidence): number => Math.max(cpu?.age ?? 0, memory?.age ?? 0)

function generalReasons(evidence: SizingEvidence): string[] {
  const { cpu, memory, job, init, intermittent, modelMoves } = evidence
  const age = ageOf(evidence)
  const reachHours = Math.max(cpu?.reachHours ?? 0, memory?.reachHours ?? 0)
  return [
    ...(age < 3 ? [`Only ${historyText(age, reachHours)} of history: bounds are wide.`] : []),
    ...(job || intermittent
      ? ['Runs intermittently: sized by usage while it runs, not by the time between runs.']
      : []),
    ...(modelMoves ? ['A model was newly trained: sizes move towards its own by at most 20% a day.'] : []),
    ...(init ? ['Init container: runs before the other containers and is sized by its own usage.'] : []),
  ]
}

const restartedConfidence = 0.8

/**
 * Confidence grows with more days, fewer gaps, and a model trained on the organisation's own usage. With such a model
 * and without gaps: one day 0.29, a week 0.74, a month 0.92.
 */
function confidenceOf(evidence: SizingEvidence): number {
  const { daysSinceFirst, isTrained, restarts = 0 } = evidence
  const age = ageOf(evidence)
  const gaps = Math.min(1, age / daysSinceFirst)
  const confidence = Math.min(1, (age / (age + 2.5)) * gaps ** 0.5 * (isTrained ? 1 : 0.8))
  return confidence * (restarts > 0 ? restartedConfidence : 1)
}
