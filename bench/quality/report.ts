import type { CadenceResult, Comparison, ResourceResult, SetResult } from './examine.ts'
import type { Score } from './score.ts'

const percent = (share: number): string => (share * 100).toFixed(2)
const money = (usd: number): string => usd.toFixed(2)
const ratio = (a: number | undefined, b: number): string => (a === undefined ? '-' : (a / b).toFixed(3))
/** None if no size of ours is at no more risk. */
export const shown = (ratio: number): string => (Number.isNaN(ratio) ? 'none' : ratio.toFixed(3))
const cell = (text: string, width: number): string => text.padEnd(width)
const cadenceText = (everyDays: number): string =>
  everyDays === 1 ? 'applied daily' : `applied every ${everyDays} days`

/** Writes one line per policy: its figures, and ours at no more risk. */
export function tableOf({ set, series, days, cadences }: SetResult): string {
  return cadences
    .flatMap(({ everyDays, cpu, memory, young }) => [
      `\n${set}: ${series} series, ${days} scored days, ${cadenceText(everyDays)}`,
      ...resourceLines('CPU', cpu, true),
      ...(memory ? resourceLines('memory', memory, false) : []),
      ...(young ? [youngLine(young)] : []),
    ])
    .join('\n')
}

function youngLine({ theirs, ours }: NonNullable<CadenceResult['young']>): string {
  const text = ours
    ? `ours ${percent(ours.score.violation)} / ${money(ours.score.usdPerMonth)}, cost ratio ${ratio(ours.score.usdPerMonth, theirs.usdPerMonth)}`
    : 'ours: none'
  return `  young series, memory: KRR ${percent(theirs.violation)} / ${money(theirs.usdPerMonth)}; at half its violations ${text}`
}

/**
 * Writes for each policy the cost ratio on each set and their mean, with CPU and memory together if a set has both;
 * then changes.
 */
export function summary(results: readonly SetResult[]): string {
  return results[0]!.cadences.flatMap((_, at) => summaryLines(results, at)).join('\n')
}

function summaryLines(results: readonly SetResult[], at: number): string[] {
  const rows = results.map(({ set, cadences }) => ({ set, ...cadences[at]! }))
  const title = `Our cost at no more risk, ${cadenceText(rows[0]!.everyDays)}`
  const header = `\n${cell(title, 50)}${rows.map(({ set, memory }) => cell(memory ? set : `${set} (CPU)`, 18)).join('')}mean of CPU and memory`
  const policies = rows[0]!.cpu.comparisons.map(({ policy }) => policy)
  const lines = policies.map((policy) => {
    const ratios = rows.map((row) => setRatio(row, policy))
    const both = ratios.filter((_, i) => rows[i]!.memory !== null)
    const mean = both.reduce((a, b) => a + b, 0) / both.length
    return `  ${cell(policy, 48)}${ratios.map((one) => cell(shown(one), 18)).join('')}${both.length === 0 ? '-' : shown(mean)}`
  })
  const changes = policies.map((policy) => {
    const own = rows.map(({ cpu, memory }) =>
      [cpu, memory].map((part) => (part ? changesText(comparisonWith(part, policy)) : '')).join(' '),
    )
    return `  ${cell(policy, 48)}${own.map((one) => cell(one, 26)).join('')}`
  })
  return [header, ...lines, '  Changes a month, ours/theirs, CPU and memory:', ...changes]
}

const changesText = ({ ours, theirs }: Comparison): string =>
  `${ours?.score.changesPerMonth.toFixed(1) ?? '-'}/${theirs.changesPerMonth.toFixed(1)}`

/** Returns the ratio for CPU and memory together, or for CPU if there is no memory. */
function setRatio({ cpu, memory }: CadenceResult, policy: string): number {
  const parts = [cpu, ...(memory ? [memory] : [])].map((part) => comparisonWith(part, policy))
  const ours = parts.reduce((sum, one) => sum + (one.ours?.score.usdPerMonth ?? Number.NaN), 0)
  return ours / parts.reduce((sum, { theirs }) => sum + theirs.usdPerMonth, 0)
}

export function ratioTo(part: ResourceResult, policy: string): number {
  const { ours, theirs } = comparisonWith(part, policy)
  return (ours?.score.usdPerMonth ?? Number.NaN) / theirs.usdPerMonth
}

export const worstRatio = (part: ResourceResult): number =>
  Math.max(...part.comparisons.map(({ policy }) => ratioTo(part, policy)).filter((one) => one > 0))

const comparisonWith = (part: ResourceResult, policy: string): Comparison =>
  part.comparisons.find((one) => one.policy === policy)!

function resourceLines(title: string, part: ResourceResult, withShortfall: boolean): string[] {
  const figures = (score: Score): string =>
    `${cell(percent(score.violation), 7)}${withShortfall ? cell(percent(score.shortfall), 7) : ''}${cell(money(score.usdPerMonth), 8)}${cell(score.changesPerMonth.toFixed(1), 8)}`
  const heads = `${cell('viol%', 7)}${withShortfall ? cell('short%', 7) : ''}${cell('$/month', 8)}${cell('changes', 8)}`
  const extra = withShortfall ? '' : '   violations at its cost'
  const lines = [`  ${cell(title, 24)}${heads} | ${cell('ours at no more risk', 30)} cost ratio${extra}`]
  for (const { policy, theirs, ours, atItsCost } of part.comparisons) {
    const own = ours ? figures(ours.score) : cell('none', 30)
    const at = atItsCost ? `        ${ratio(atItsCost.violation, theirs.violation)}` : ''
    lines.push(
      `  ${cell(policy, 24)}${figures(theirs)} | ${own} ${ratio(ours?.score.usdPerMonth, theirs.usdPerMonth)}${at}`,
    )
  }
  for (const { profile, score } of part.profiles)
    lines.push(`  ${cell(`ours, ${profile}`, 24)}${figures(score)}`)
  return lines
}
