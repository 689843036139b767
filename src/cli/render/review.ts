import { plural } from '../../domain/text.ts'
import type { Review } from '../../pricing/terraform/review/schema.ts'
import { difference, printable } from './figures.ts'
import { type ReviewStyle, renderReviewParts } from './review-parts.ts'
import * as phrases from './review-phrases.ts'
import { renderTable } from './table.ts'

export const reviewFormats = ['text', 'markdown', 'json'] as const
export type ReviewFormat = (typeof reviewFormats)[number]

export function renderReview(review: Review, format: ReviewFormat): string {
  if (format === 'json') return `${JSON.stringify(review, null, 2)}\n`
  return format === 'markdown' ? renderReviewMarkdown(review) : renderReviewText(review)
}

const renderReviewText = (review: Review): string =>
  // A CI runner that reads the log must not execute a name at the start of a line as a command.
  renderReviewParts(review, textStyle).replace(/^(?=::|##\[)/gm, ' ')

const textStyle: ReviewStyle = {
  heading: (review) => [`${phrases.headline(review)}\n${phrases.coverage(review)}`],
  table: (header, rows, figures) => renderTable([header.map((name) => name.toUpperCase()), ...rows], figures),
  notes: (rows) => `Notes:\n${renderTable(rows)}`,
  code: (name) => name,
  text: (text) => text,
  titled: (title, table) => `${title}:\n${table}`,
  gap: '\n',
  namesOnce: true,
}

/** Renders a comment on a pull request. Tables are shortened if the text would be longer than `maxCharacters`. */
export function renderReviewMarkdown(review: Review, maxCharacters = Number.POSITIVE_INFINITY): string {
  for (let maxRows = Number.POSITIVE_INFINITY; ; maxRows = maxRows > 200 ? 200 : maxRows / 2) {
    const text = renderReviewParts(review, markdownStyle(Math.floor(maxRows)))
    if (text.length <= maxCharacters || maxRows < 1) return text
  }
}

const markdownStyle = (maxRows: number): ReviewStyle => ({
  heading: (review) => [
    `### Cheapside: ${difference(review.totals.difference_per_month)} a month`,
    `${phrases.headline(review)} ${phrases.coverage(review)}`,
  ],
  table(header, rows, figures = []) {
    const rule = header.map((_, column) => (figures.includes(column) ? '---:' : '---'))
    const drawn = [header, rule, ...rows.slice(0, maxRows)].map((cells) => `| ${cells.join(' | ')} |`)
    const left = rows.length - Math.min(rows.length, maxRows)
    return left === 0 ? drawn.join('\n') : `${drawn.join('\n')}\n\n${plural(left, 'more row')} not shown.`
  },
  notes: (rows) => markdownStyle(maxRows).table(['Resource', 'Note'], rows),
  code: (name) => `<code>${escaped(name)}</code>`,
  text: escaped,
  titled: (title, table, isDetail = false) =>
    isDetail ? `<details><summary>${title}</summary>\n\n${table}\n\n</details>` : `**${title}**\n\n${table}`,
  gap: '\n\n',
  namesOnce: false,
})

/** Escapes a name, so that it does not end a table cell or become a link, tag, mention or emphasis. */
const escaped = (name: string): string =>
  printable(name).replace(
    /[\\`*[\]<>|@#!~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (mark) => `&#${mark.codePointAt(0)};`,
  )
