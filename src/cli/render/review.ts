import type { Review } from '../../operations/review-plan/review-plan.ts'
import { renderReviewMarkdown } from './review-markdown.ts'
import { renderReviewText } from './review-text.ts'

export const reviewFormats = ['text', 'markdown', 'json'] as const
export type ReviewFormat = (typeof reviewFormats)[number]

/** `today` is YYYY-MM-DD. */
export function renderReview(review: Review, format: ReviewFormat, today: string): string {
  if (format === 'json') return `${JSON.stringify(review, null, 2)}\n`
  return format === 'markdown' ? renderReviewMarkdown(review, today) : renderReviewText(review, today)
}
