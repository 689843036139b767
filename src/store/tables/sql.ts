/** The value of a parameter, or of a column in a row. */
type SqlValue = string | number | null | Uint8Array

/** Statements that both databases understand. Their parameters are $1, $2 and so on. */
export type Sql = { rows<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]> }

/** The statements of one transaction. They wait for nothing but each other, so that SQLite's thread does no other work. */
export interface Transaction extends Sql {
  /** Returns how many rows were inserted, changed or deleted. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>
  /** Creates the organisation, with the first thing that it has. */
  ensureOrganisation(organisation: string): Promise<void>
  increment(topic: string): Promise<void>
}

export interface SqlDatabase extends Sql {
  /** Commits if the work resolves; otherwise rolls back. Writers of one topic take turns. */
  inTransaction<Result>(work: (sql: Transaction) => Promise<Result>, topic?: string): Promise<Result>
  /** Milliseconds since 1970 by the database's clock. */
  readonly now: string
}

/** secretHash -> secret_hash */
export const columnName = (member: string): string =>
  member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** id, secretHash -> id, secret_hash */
export const columnNames = (members: readonly string[]): string => members.map(columnName).join(', ')

/** id, secretHash -> id AS "id", secret_hash AS "secretHash", so that rows are records. */
export const recordColumns = (members: readonly string[]): string =>
  members.map((member) => `${columnName(member)} AS "${member}"`).join(', ')

/** Marks for the values of rows, after other parameters: ($3, $4), ($5, $6). In a query, the values need types. */
export const valueMarks = (
  rows: readonly (readonly SqlValue[])[],
  parametersBefore = 0,
  types: readonly string[] = [],
): string =>
  rows
    .map((row, at) => {
      const marks = row.map((_, column) => `$${parametersBefore + at * row.length + column + 1}`)
      return `(${marks.map((mark, column) => (types[column] ? `CAST(${mark} AS ${types[column]})` : mark)).join(', ')})`
    })
    .join(', ')

const batchLength = 500

/** Slices for statements with a limited number of parameters, between which other work of the event loop runs. */
export function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += batchLength) yield items.slice(from, from + batchLength)
}
