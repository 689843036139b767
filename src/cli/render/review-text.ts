import type { Review } from '../../operations/review-plan/review-plan.ts'
import { difference, dollars, formatPercent, plural, printable } from './figures.ts'
import { changedMachines, describeMachine, headline, otherResources, priceDays } from './review-phrases.ts'
import { renderTable } from './table.ts'

/** For a terminal, with or without colours of its own. */
export function renderReviewText(review: Review, today: string): string {
  const parts = [headline(review), changesText(review), suggestionsText(review), unpricedText(review)]
  return `${[...parts, otherResources(review), priceDays(review, today)].filter((part) => part !== '').join('\n\n')}\n`
}

function changesText(review: Review): string {
  const { moving, still } = changedMachines(review)
  const unchanged = still === 0 ? '' : `${plural(still, 'machine')} unchanged.`
  if (moving.length === 0) return unchanged
  const rows = moving.map((change) => [
    change.action,
    printable(change.address),
    describeMachine(change.before),
    describeMachine(change.after),
    difference(change.difference_per_month),
  ])
  const table = renderTable([['CHANGE', 'RESOURCE', 'BEFORE', 'AFTER', 'A MONTH'], ...rows], [4])
  return unchanged === '' ? table : `${table}\n${unchanged}`
}

function suggestionsText({ changes }: Review): string {
  const rows = changes.flatMap(({ address, after, suggestions }) =>
    suggestions.map((suggestion, i) => [
      i === 0 ? printable(address) : '',
      i === 0 ? describeMachine(after) : '',
      printable(`${suggestion.instance_type} ${suggestion.provider} ${suggestion.region}`),
      dollars(suggestion.savings_per_month * (after?.count ?? 1)),
      formatPercent(suggestion.savings_percentage),
    ]),
  )
  if (rows.length === 0) return ''
  return `Cheaper and at least as large:\n${renderTable([['RESOURCE', 'PLANNED', 'INSTEAD', 'SAVES A MONTH', 'SHARE'], ...rows], [3, 4])}`
}

function unpricedText({ unpriced }: Review): string {
  if (unpriced.length === 0) return ''
  const rows = unpriced.map(({ address, action, reason }) => [action, printable(address), printable(reason)])
  return `Not priced and not included in the totals:\n${renderTable(rows)}`
}
