import { appendFileSync } from 'node:fs'
import { dollars } from '../../domain/money.ts'
import type { PricedSide, Review, ReviewedChange } from '../../pricing/terraform/review/schema.ts'
import { difference } from '../render/figures.ts'
import { describeSide, describeSuggestion } from '../render/review-phrases.ts'
import type { Declarations } from './declarations.ts'

/** GitHub shows ten warnings and ten notices per step. */
const maxAnnotations = 20

/** Appends to the summary and the outputs of a job of GitHub Actions, if the environment names these files. */
export function writeJobFiles(
  environment: Readonly<Record<string, string | undefined>>,
  review: Review,
  markdown: string,
  reasons: readonly string[],
): void {
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output } = environment
  if (summary) appendFileSync(summary, `${markdown}\n`)
  const outputs = {
    'before-per-month': review.totals.before_per_month,
    'after-per-month': review.totals.after_per_month,
    'difference-per-month': review.totals.difference_per_month,
    unpriced: review.unpriced.length,
    unknown: review.unknown.length,
    held: reasons.length > 0,
  }
  if (output)
    appendFileSync(
      output,
      Object.entries(outputs)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
}

/** Workflow commands that show each change at the line that declares it. */
export function annotations(
  review: Review,
  documents: ReadonlyMap<string, unknown>,
  declarations: Declarations,
): string[] {
  const at = (plan: string, address: string, value: string): string => {
    const found = declarations.find(documents.get(plan), address, value)
    return found === undefined ? '' : `file=${property(found.file)},line=${found.line},`
  }
  const warnings = [...review.unpriced, ...review.unknown]
    .filter((resource) => resource.may_raise_cost)
    .map((resource) => {
      const why =
        'reason' in resource
          ? (resource.reason as string)
          : `${resource.type} is an unknown type and may cost money`
      return `::warning ${at(resource.plan, resource.address, '')}title=No price::${data(`${resource.address}: ${why}`)}`
    })
  const notices = review.changes
    .filter((change) => change.difference_per_month !== 0)
    .map((change) => {
      const type = change.after?.machines[0]?.instance_type ?? ''
      const title = `${difference(change.difference_per_month)} a month`
      return `::notice ${at(change.plan, change.address, type)}title=${property(title)}::${data(sentence(change))}`
    })
  return [...warnings.slice(0, maxAnnotations), ...notices.slice(0, maxAnnotations)]
}

function sentence({ address, before, after, suggestions }: ReviewedChange): string {
  const best = suggestions.toSorted((a, b) => b.savings_per_month - a.savings_per_month)[0]
  const next =
    best === undefined
      ? ''
      : `; ${describeSuggestion(best)} would save ${dollars(best.savings_per_month)} a month`
  return `${address}: ${transition(before, after)}${next}`
}

/** new m5.large; m5.large removed; m5.large -> m5.xlarge */
function transition(before: PricedSide | null, after: PricedSide | null): string {
  if (!before?.machines.length) return `new ${describeSide(after)}`
  if (!after?.machines.length) return `${describeSide(before)} removed`
  return `${describeSide(before)} -> ${describeSide(after)}`
}

/** Escapes text as the toolkit of GitHub Actions does. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
