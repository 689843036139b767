import type { Comparison, ResourceResult, SetResult } from './examine.ts'
import type { Score } from './score.ts'

const percent = (share: number): string => (share * 100).toFixed(2)
const money = (usd: number): string => usd.toFixed(2)
const ratio = (a: number | undefined, b: number): string => (a === undefined ? '-' : (a / b).toFixed(3))
const cell = (text: string, width: number): string => text.padEnd(width)

/** One line per policy: its figures, and ours at no more risk. */
export function tableOf(result: SetResult): string {
  const lines = [`\n${result.set}: ${result.series} series, ${result.days} scored days`]
  lines.push(...resourceLines('CPU', result.cpu, true))
  if (result.memory) lines.push(...resourceLines('memory', result.memory, false))
  if (result.young) {
    const { theirs, ours } = result.young
    const text = ours
      ? `ours ${percent(ours.score.violation)} / ${money(ours.score.usdPerMonth)}, cost ratio ${ratio(ours.score.usdPerMonth, theirs.usdPerMonth)}`
      : 'ours: none'
    lines.push(
      `  young series, memory: KRR ${percent(theirs.violation)} / ${money(theirs.usdPerMonth)}; at half its violations ${text}`,
    )
  }
  return lines.join('\n')
}

/** Both resources together, per policy: cost ratio on each set and their mean. */
export function summary(results: readonly SetResult[]): string {
  const both = results.filter(({ memory }) => memory !== null)
  if (both.length === 0) return ''
  const policies = both[0]!.cpu.comparisons.map(({ policy }) => policy)
  const header = `\n${cell('CPU and memory, our cost at no more risk', 42)}${both.map(({ set }) => cell(set, 18)).join('')}mean`
  const lines = policies.map((policy) => {
    const ratios = both.map((result) => togetherRatio(result, policy))
    const mean = ratios.reduce((a, b) => a + b, 0) / ratios.length
    return `  ${cell(policy, 40)}${ratios.map((one) => cell(one.toFixed(3), 18)).join('')}${mean.toFixed(3)}`
  })
  return [header, ...lines].join('\n')
}

export function togetherRatio(result: SetResult, policy: string): number {
  const of = (part: ResourceResult): Comparison => part.comparisons.find((one) => one.policy === policy)!
  const [cpu, memory] = [of(result.cpu), of(result.memory!)]
  const ours = (cpu.ours?.score.usdPerMonth ?? Number.NaN) + (memory.ours?.score.usdPerMonth ?? Number.NaN)
  return ours / (cpu.theirs.usdPerMonth + memory.theirs.usdPerMonth)
}

function resourceLines(title: string, part: ResourceResult, withShortfall: boolean): string[] {
  const figures = (score: Score): string =>
    `${cell(percent(score.violation), 7)}${withShortfall ? cell(percent(score.shortfall), 7) : ''}${cell(money(score.usdPerMonth), 8)}${cell(percent(score.churn), 7)}`
  const heads = `${cell('viol%', 7)}${withShortfall ? cell('short%', 7) : ''}${cell('$/month', 8)}${cell('churn%', 7)}`
  const extra = withShortfall ? '' : '   violations at its cost'
  const lines = [`  ${cell(title, 24)}${heads} | ${cell('ours at no more risk', 29)} cost ratio${extra}`]
  for (const { policy, theirs, ours, atItsCost } of part.comparisons) {
    const own = ours ? figures(ours.score) : cell('none', 29)
    const at = atItsCost ? `        ${ratio(atItsCost.violation, theirs.violation)}` : ''
    lines.push(
      `  ${cell(policy, 24)}${figures(theirs)} | ${own} ${ratio(ours?.score.usdPerMonth, theirs.usdPerMonth)}${at}`,
    )
  }
  for (const { profile, score } of part.profiles)
    lines.push(`  ${cell(`ours, ${profile}`, 24)}${figures(score)}`)
  return lines
}
