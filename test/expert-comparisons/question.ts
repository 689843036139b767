/** A machine in use, the replacements that an expert would and would not suggest, and why. */
export interface Question {
  /** Provider, region and type, then usage type (default ondemand) and operating system (default Linux). */
  readonly machine: string
  /** Share of the machine that is used. */
  readonly use: number
  /** Each must match an answer, written "provider region type USAGE_TYPE". */
  readonly must: readonly RegExp[]
  /** None may match any answer. */
  readonly mustNot: readonly RegExp[]
  readonly why: string
  readonly predicates?: Readonly<Record<string, readonly string[] | string | number>>
  readonly performance?: 'equivalent'
}

type More = Pick<Question, 'predicates' | 'performance'>

/** must and mustNot are patterns separated by blanks: a|b means either, * any text, and a dot is literal. */
export function ask(
  machine: string,
  use: number,
  must: string,
  mustNot: string,
  why: string,
  more: More = {},
): Question {
  return { machine, use, must: patterns(must), mustNot: patterns(mustNot), why, ...more }
}

const patterns = (text: string): RegExp[] =>
  text
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => new RegExp(`(^| )(?:${part.replaceAll('.', '\\.').replaceAll('*', '\\S*')})( |$)`))
