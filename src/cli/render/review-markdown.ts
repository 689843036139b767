import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import type { Review } from '../../pricing/terraform/review/schema.ts'
import { difference, formatPercent, printable } from './figures.ts'
import * as phrases from './review-phrases.ts'

/** Renders a comment on a pull request. Tables are shortened if the text would be longer than `maxCharacters`. */
export function renderReviewMarkdown(review: Review, maxCharacters = Number.POSITIVE_INFINITY): string {
  for (let maxRows = Number.POSITIVE_INFINITY; ; maxRows = maxRows > 200 ? 200 : maxRows / 2) {
    const text = written(review, Math.floor(maxRows))
    if (text.length <= maxCharacters || maxRows < 1) return text
  }
}

function written(review: Review, maxRows: number): string {
  const parts = [
    `### Cheapside: ${difference(review.totals.difference_per_month)} a month`,
    `${phrases.headline(review)} ${phrases.coverage(review)}`,
    changes(review, maxRows),
    suggestions(review, maxRows),
    leftOut('Known but not priced (not in the totals)', review.unpriced, review, maxRows),
    leftOut('Of an unknown type (not in the totals, may cost money)', review.unknown, review, maxRows),
    notes(review, maxRows),
    phrases.drift(review),
    phrases.priceDays(review),
    phrases.scope,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function changes(review: Review, maxRows: number): string {
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
  const drawn = table(['Change', 'Resource', 'Before', 'After', 'A month'], rows, maxRows, [4])
  return unchanged === '' ? drawn : `${drawn}\n\n${unchanged}`
}

function suggestions(review: Review, maxRows: number): string {
  const rows = review.changes.flatMap((change) =>
    change.suggestions.map((suggestion) => [
      code(phrases.resourceName(change, review)),
      text(phrases.describeMachines(change.after!.machines[suggestion.replaces]!)),
      suggestion.effort,
      text(phrases.describeSuggestion(suggestion)),
      dollars(suggestion.savings_per_month),
      formatPercent(suggestion.savings_percentage),
      text(phrases.describeChanges(suggestion)),
    ]),
  )
  if (rows.length === 0) return ''
  const header = ['Resource', 'Planned', 'Effort', 'Instead', 'Saves a month', 'Share', 'Changes']
  const drawn = table(header, rows, maxRows, [4, 5])
  return `<details><summary>Cheaper comparable machines</summary>\n\n${drawn}\n\n</details>`
}

/** Lists resources that are in no total, with the reason if it is known. */
function leftOut(
  title: string,
  resources: readonly phrases.LeftOut[],
  review: Review,
  maxRows: number,
): string {
  if (resources.length === 0) return ''
  const rows = phrases.byType(resources).map((resource) => {
    const row = [code(resource.type), code(phrases.resourceName(resource, review)), resource.action]
    return resource.reason === undefined ? row : [...row, text(resource.reason)]
  })
  const header = ['Type', 'Resource', 'Change', 'Why'].slice(0, rows[0]!.length)
  return `**${title}**\n\n${table(header, rows, maxRows)}`
}

function notes(review: Review, maxRows: number): string {
  const rows = review.changes.flatMap((change) =>
    change.notes.map((note) => [code(phrases.resourceName(change, review)), text(note)]),
  )
  return rows.length === 0 ? '' : table(['Resource', 'Note'], rows, maxRows)
}

function table(
  header: readonly string[],
  rows: readonly string[][],
  maxRows: number,
  right: readonly number[] = [],
): string {
  const rule = header.map((_, column) => (right.includes(column) ? '---:' : '---'))
  const drawn = [header, rule, ...rows.slice(0, maxRows)].map((cells) => `| ${cells.join(' | ')} |`)
  const left = rows.length - Math.min(rows.length, maxRows)
  return left === 0 ? drawn.join('\n') : `${drawn.join('\n')}\n\n${plural(left, 'more row')} not shown.`
}

/** Escapes a name, so that it does not end a table cell or become a link, tag, mention or emphasis. */
const text = (name: string): string =>
  printable(name).replace(
    /[\\`*[\]<>|@#!~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (mark) => `&#${mark.codePointAt(0)};`,
  )

const code = (name: string): string => `<code>${text(name)}</code>`
