import { defaultOrganisation } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import { type SuggestScope, suggestScopes } from '../../operations/review-plan/suggest-cheaper.ts'
import { type Command, CommandFailure, exitCode, optionNumber, optionText, UsageError } from '../command.ts'
import { readJson } from '../read-json.ts'
import { type ReviewFormat, renderReview, reviewFormats } from '../render/review.ts'
import { offlinePricing } from './offline-pricing.ts'

/** What a Terraform plan does to the bill, before it is applied. */
export const reviewCommand: Command = {
  name: 'review',
  summary: 'Price a Terraform plan, offline: cost of each machine before and after, and cheaper alternatives',
  operands: 'PLAN.json',
  operandCount: [1, 1],
  settings: ['catalogue', 'providers'],
  options: {
    format: { type: 'string', value: 'FORMAT', text: `${reviewFormats.join(', ')}; default text` },
    'max-increase': {
      type: 'string',
      value: 'USD',
      text: 'Exit 3 if the monthly cost rises by more than this',
    },
    suggest: {
      type: 'string',
      value: 'FROM',
      text: `Scope of suggestions: ${suggestScopes.join(', ')}; default region`,
    },
    suggestions: { type: 'string', value: 'COUNT', text: 'Suggestions per machine; 0: none' },
  },
  notes:
    'terraform plan -out plan && terraform show -json plan > plan.json && cheapside review plan.json\nUse - as PLAN.json to read standard input.',
  run: async (call) => {
    const format = choice(
      call.json ? 'json' : optionText(call, 'format'),
      reviewFormats,
      'text',
      '--format',
    ) as ReviewFormat
    const suggestFrom = choice(
      optionText(call, 'suggest'),
      suggestScopes,
      'region',
      '--suggest',
    ) as SuggestScope
    const suggestions = optionNumber(call, 'suggestions')
    if (suggestions !== undefined && !(Number.isInteger(suggestions) && suggestions >= 0))
      throw new UsageError('--suggestions must be a whole number, not negative')
    const maxIncrease = optionNumber(call, 'max-increase')
    const file = call.operands[0]!
    const document = await readJson(
      file,
      `${file} cannot be reviewed: it is not JSON; create it with terraform show -json`,
    )
    const { exceedsIncrease, reviewPlan } = await import('../../operations/review-plan/review-plan.ts')
    const deps = await offlinePricing(call.settings)
    const review = await reviewPlan(deps, defaultOrganisation, document, {
      suggestFrom,
      ...(suggestions === undefined ? {} : { suggestions }),
    }).catch((error) => {
      throw error instanceof Problem && error.code === 'invalid'
        ? new CommandFailure(`${file} cannot be reviewed: ${error.message}`)
        : error
    })
    call.out(renderReview(review, format).trimEnd())
    if (maxIncrease === undefined || !exceedsIncrease(review, maxIncrease)) return exitCode.done
    call.err(
      `cheapside review: the monthly cost would rise by $${review.totals.difference_per_month}, more than the limit of $${maxIncrease}`,
    )
    return exitCode.exceeded
  },
}

function choice(given: string | undefined, known: readonly string[], usual: string, option: string): string {
  if (given === undefined) return usual
  if (!known.includes(given)) throw new UsageError(`${option} must be one of ${known.join(', ')}`)
  return given
}
