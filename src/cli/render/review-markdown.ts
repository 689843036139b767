import type { Review } from '../../operations/review-plan/review-plan.ts'
import { difference, dollars, formatPercent, plural, printable } from './figures.ts'
import { changedMachines, describeMachine, headline, otherResources, priceDays } from './review-phrases.ts'

/** For a comment on a pull request. */
export function renderReviewMarkdown(review: Review, today: string): string {
  const parts = [
    `### Cheapside: ${difference(review.totals.difference_per_month)} a month`,
    headline(review),
    changes(review),
    suggestions(review),
    unpriced(review),
    otherResources(review),
    priceDays(review, today),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function changes(review: Review): string {
  const { moving, still } = changedMachines(review)
  const unchanged = still === 0 ? '' : `${plural(still, 'machine')} unchanged.`
  if (moving.length === 0) return unchanged
  const rows = moving.map((change) => [
    change.action,
    code(change.address),
    text(describeMachine(change.before)),
    text(describeMachine(change.after)),
    difference(change.difference_per_month),
  ])
  const drawn = table(['Change', 'Resource', 'Before', 'After', 'A month'], rows, [4])
  return unchanged === '' ? drawn : `${drawn}\n\n${unchanged}`
}

function suggestions({ changes }: Review): string {
  const rows = changes.flatMap(({ address, after, suggestions }) =>
    suggestions.map((suggestion) => [
      code(address),
      text(describeMachine(after)),
      text(`${suggestion.instance_type} ${suggestion.provider} ${suggestion.region}`),
      dollars(suggestion.savings_per_month * (after?.count ?? 1)),
      formatPercent(suggestion.savings_percentage),
    ]),
  )
  if (rows.length === 0) return ''
  const drawn = table(['Resource', 'Planned', 'Instead', 'Saves a month', 'Share'], rows, [3, 4])
  return `<details><summary>Cheaper and at least as large</summary>\n\n${drawn}\n\n</details>`
}

function unpriced({ unpriced }: Review): string {
  if (unpriced.length === 0) return ''
  const rows = unpriced.map(({ address, action, reason }) => [action, code(address), text(reason)])
  return `**Not priced and not included in the totals**\n\n${table(['Change', 'Resource', 'Why'], rows)}`
}

function table(header: readonly string[], rows: readonly string[][], right: readonly number[] = []): string {
  const rule = header.map((_, column) => (right.includes(column) ? '---:' : '---'))
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Names are data: they neither end a cell nor become links, tags, mentions or emphasis. */
const text = (name: string): string =>
  printable(name).replace(
    /[\\`*[\]<>|@#!~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (mark) => `&#${mark.codePointAt(0)};`,
  )

const code = (name: string): string => `<code>${text(name)}</code>`
