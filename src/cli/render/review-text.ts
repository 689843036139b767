import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import type { Review } from '../../pricing/terraform/review/schema.ts'
import { difference, formatPercent } from './figures.ts'
import * as phrases from './review-phrases.ts'
import { renderTable } from './table.ts'

/** Renders plain text for a terminal or a log. */
export function renderReviewText(review: Review): string {
  const parts = [
    `${phrases.headline(review)}\n${phrases.coverage(review)}`,
    changesText(review),
    suggestionsText(review),
    leftOutText('Known but not priced (not in the totals)', review.unpriced, review),
    leftOutText('Of an unknown type (not in the totals, may cost money)', review.unknown, review),
    notesText(review),
    phrases.drift(review),
    phrases.priceDays(review),
    phrases.scope,
  ]
  const text = `${parts.filter((part) => part !== '').join('\n\n')}\n`
  // A CI runner that reads the log must not execute a name at the start of a line as a command.
  return text.replace(/^(?=::|##\[)/gm, ' ')
}

function changesText(review: Review): string {
  const { moving, still } = phrases.changedMachines(review)
  const unchanged =
    still === 0 ? '' : `${plural(still, 'priced resource is', 'priced resources are')} unchanged.`
  if (moving.length === 0) return unchanged
  const rows = moving.map((change) => [
    change.action,
    phrases.resourceName(change, review),
    phrases.describeSide(change.before),
    phrases.describeSide(change.after),
    difference(change.difference_per_month),
  ])
  const table = renderTable([['CHANGE', 'RESOURCE', 'BEFORE', 'AFTER', 'A MONTH'], ...rows], [4])
  return unchanged === '' ? table : `${table}\n${unchanged}`
}

function suggestionsText(review: Review): string {
  const rows = review.changes.flatMap((change) =>
    change.suggestions.map((suggestion, i) => [
      i === 0 ? phrases.resourceName(change, review) : '',
      i === 0 ? phrases.describeMachines(change.after!.machines[suggestion.replaces]!) : '',
      suggestion.effort,
      phrases.describeSuggestion(suggestion),
      dollars(suggestion.savings_per_month),
      formatPercent(suggestion.savings_percentage),
      phrases.describeChanges(suggestion),
    ]),
  )
  if (rows.length === 0) return ''
  const header = ['RESOURCE', 'PLANNED', 'EFFORT', 'INSTEAD', 'SAVES A MONTH', 'SHARE', 'CHANGES']
  return `Cheaper comparable machines:\n${renderTable([header, ...rows], [4, 5])}`
}

/** Lists resources that are in no total, with the reason if it is known. */
function leftOutText(title: string, resources: readonly phrases.LeftOut[], review: Review): string {
  if (resources.length === 0) return ''
  const rows = phrases.byType(resources).map((resource) => {
    const row = [resource.type, phrases.resourceName(resource, review), resource.action]
    return resource.reason === undefined ? row : [...row, resource.reason]
  })
  const header = ['TYPE', 'RESOURCE', 'CHANGE', 'WHY'].slice(0, rows[0]!.length)
  return `${title}:\n${renderTable([header, ...rows])}`
}

function notesText(review: Review): string {
  const rows = review.changes.flatMap((change) =>
    change.notes.map((note) => [phrases.resourceName(change, review), note]),
  )
  return rows.length === 0 ? '' : `Notes:\n${renderTable(rows)}`
}
