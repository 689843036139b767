import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import type { Review } from '../../pricing/terraform/review/schema.ts'
import { difference, formatPercent } from './figures.ts'
import * as phrases from './review-phrases.ts'

/** How a format writes what the parts of a review have in common. */
export interface ReviewStyle {
  heading(review: Review): string[]
  /** Writes a table; the columns with these indices are figures. */
  table(header: readonly string[], rows: readonly string[][], figures?: readonly number[]): string
  notes(rows: readonly string[][]): string
  /** Writes a name of the plan, such as an address, and any other text. */
  code(name: string): string
  text(text: string): string
  /** Writes a table below a title; that of the suggestions is less important. */
  titled(title: string, table: string, isDetail?: boolean): string
  /** Between the table of changes and the line about the rest. */
  readonly gap: string
  /** Whether rows of the same resource name it only once. */
  readonly namesOnce: boolean
}

export function renderReviewParts(review: Review, style: ReviewStyle): string {
  const parts = [
    ...style.heading(review),
    changes(review, style),
    suggestions(review, style),
    leftOut('Known but not priced (not in the totals)', review.unpriced, review, style),
    leftOut('Of an unknown type (not in the totals, may cost money)', review.unknown, review, style),
    ...notes(review, style),
    phrases.drift(review),
    phrases.priceDays(review),
    phrases.scope,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function changes(review: Review, { table, code, text, gap }: ReviewStyle): string {
  const { moving, still } = phrases.changedMachines(review)
  const unchanged =
    still === 0 ? '' : `${plural(still, 'priced resource is', 'priced resources are')} unchanged.`
  if (moving.length === 0) return unchanged
  const rows = moving.map((change) => [
    change.action,
    code(phrases.resourceName(change, review)),
    text(phrases.describeSide(change.before)),
    text(phrases.describeSide(change.after)),
    difference(change.difference_per_month),
  ])
  const drawn = table(['Change', 'Resource', 'Before', 'After', 'A month'], rows, [4])
  return unchanged === '' ? drawn : `${drawn}${gap}${unchanged}`
}

function suggestions(review: Review, { table, code, text, titled, namesOnce }: ReviewStyle): string {
  const rows = review.changes.flatMap((change) =>
    change.suggestions.map((suggestion, at) => [
      ...(namesOnce && at > 0
        ? ['', '']
        : [
            code(phrases.resourceName(change, review)),
            text(phrases.describeMachines(change.after!.machines[suggestion.replaces]!)),
          ]),
      suggestion.effort,
      text(phrases.describeSuggestion(suggestion)),
      dollars(suggestion.savings_per_month),
      formatPercent(suggestion.savings_percentage),
      text(phrases.describeChanges(suggestion)),
    ]),
  )
  if (rows.length === 0) return ''
  const header = ['Resource', 'Planned', 'Effort', 'Instead', 'Saves a month', 'Share', 'Changes']
  return titled('Cheaper comparable machines', table(header, rows, [4, 5]), true)
}

function leftOut(
  title: string,
  resources: readonly phrases.LeftOut[],
  review: Review,
  { table, code, text, titled }: ReviewStyle,
): string {
  if (resources.length === 0) return ''
  const rows = phrases.byType(resources).map((resource) => {
    const row = [code(resource.type), code(phrases.resourceName(resource, review)), resource.action]
    return resource.reason === undefined ? row : [...row, text(resource.reason)]
  })
  return titled(title, table(['Type', 'Resource', 'Change', 'Why'].slice(0, rows[0]!.length), rows))
}

/** A note that several resources share is written once. */
function notes(review: Review, style: ReviewStyle): string[] {
  const noted = review.changes.flatMap((change) => change.notes.map((note) => ({ change, note })))
  const rows = [...Map.groupBy(noted, ({ note }) => note)].map(([note, [first, ...others]]) => [
    `${style.code(phrases.resourceName(first!.change, review))}${others.length === 0 ? '' : ` and ${others.length} more`}`,
    style.text(note),
  ])
  return rows.length === 0 ? [] : [style.notes(rows)]
}
