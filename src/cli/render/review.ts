import type { Review } from '../../pricing/terraform/review/schema.ts'
import { renderReviewMarkdown } from './review-markdown.ts'
import { renderReviewText } from './review-text.ts'

export const reviewFormats = ['text', 'markdown', 'json'] as const
export type ReviewFormat = (typeof reviewFormats)[number]

export function renderReview(review: Review, format: ReviewFormat): string {
  if (format === 'json') return `${JSON.stringify(review, null, 2)}\n`
  return format === 'markdown' ? renderReviewMarkdown(review) : renderReviewText(review)
}
