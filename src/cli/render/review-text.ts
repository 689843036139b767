import type { Review } from '../../operations/review-plan/review.ts'
import { difference, dollars, formatPercent, plural, printable } from './figures.ts'
import {
  byType,
  changedMachines,
  coverage,
  describeChanges,
  describeMachines,
  describeSide,
  describeSuggestion,
  drift,
  headline,
  priceDays,
  resourceName,
  scope,
} from './review-phrases.ts'
import { renderTable } from './table.ts'

/** For a terminal, with or without colours of its own. */
export function renderReviewText(review: Review): string {
  const parts = [
    `${headline(review)}\n${coverage(review)}`,
    changesText(review),
    suggestionsText(review),
    unpricedText(review),
    unknownText(review),
    notesText(review),
    drift(review),
    priceDays(review),
    scope,
  ]
  const text = `${parts.filter((part) => part !== '').join('\n\n')}\n`
  // A name at the start of a line is not to be obeyed as a command by a CI runner that reads the log.
  return text.replace(/^(?=::|##\[)/gm, ' ')
}

function changesText(review: Review): string {
  const { moving, still } = changedMachines(review)
  const unchanged = still === 0 ? '' : `${plural(still, 'resource')} with machines unchanged.`
  if (moving.length === 0) return unchanged
  const rows = moving.map((change) => [
    change.action,
    resourceName(change, review),
    describeSide(change.before),
    describeSide(change.after),
    difference(change.difference_per_month),
  ])
  const table = renderTable([['CHANGE', 'RESOURCE', 'BEFORE', 'AFTER', 'A MONTH'], ...rows], [4])
  return unchanged === '' ? table : `${table}\n${unchanged}`
}

function suggestionsText(review: Review): string {
  const rows = review.changes.flatMap((change) =>
    change.suggestions.map((suggestion, i) => [
      i === 0 ? resourceName(change, review) : '',
      i === 0 ? describeMachines(change.after!.machines[suggestion.replaces]!) : '',
      suggestion.effort,
      describeSuggestion(suggestion),
      dollars(suggestion.savings_per_month),
      formatPercent(suggestion.savings_percentage),
      printable(describeChanges(suggestion)),
    ]),
  )
  if (rows.length === 0) return ''
  const header = ['RESOURCE', 'PLANNED', 'EFFORT', 'INSTEAD', 'SAVES A MONTH', 'SHARE', 'CHANGES']
  return `Cheaper and comparable:\n${renderTable([header, ...rows], [4, 5])}`
}

function unpricedText(review: Review): string {
  if (review.unpriced.length === 0) return ''
  const rows = byType(review.unpriced).map((resource) => [
    printable(resource.type),
    resourceName(resource, review),
    resource.action,
    printable(resource.reason),
  ])
  return `Known but not priced, in no total:\n${renderTable([['TYPE', 'RESOURCE', 'CHANGE', 'WHY'], ...rows])}`
}

function unknownText(review: Review): string {
  if (review.unknown.length === 0) return ''
  const rows = byType(review.unknown).map((resource) => [
    printable(resource.type),
    resourceName(resource, review),
    resource.action,
  ])
  return `Of an unknown type, in no total; they may cost:\n${renderTable([['TYPE', 'RESOURCE', 'CHANGE'], ...rows])}`
}

function notesText(review: Review): string {
  const rows = review.changes.flatMap((change) =>
    change.notes.map((note) => [resourceName(change, review), printable(note)]),
  )
  return rows.length === 0 ? '' : `Notes:\n${renderTable(rows)}`
}
