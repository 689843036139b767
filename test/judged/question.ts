/** One judged question: a machine somebody runs, what an expert would and would not name in its place, and why. */
export interface Question {
  /** provider region type, then the way of paying (ondemand unless given) and system (Linux unless given) */
  readonly machine: string
  /** Share of the machine that is used. */
  readonly use: number
  /** Each matches an answer, written "provider region type USAGE_TYPE". */
  readonly must: readonly RegExp[]
  /** None matches any. */
  readonly mustNot: readonly RegExp[]
  readonly why: string
  readonly predicates?: Readonly<Record<string, readonly string[] | string | number>>
  readonly performance?: 'equivalent'
}

type More = Pick<Question, 'predicates' | 'performance'>

/** must and mustNot are patterns, separated by blanks: a|b is either, * any text, a dot itself. */
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
