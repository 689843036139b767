import type { ReactNode } from 'react'

/** A member of a rule in its form. Other members stay as they are, and can be edited as YAML. */
export interface RuleField {
  readonly name: string
  readonly label: string
  readonly note?: string
  readonly placeholder?: string
  readonly isNumber?: boolean
  readonly options?: readonly (readonly [string, string])[]
}

export interface StoredRules<Rule> {
  readonly rules: readonly Rule[]
  readonly etag: string
}

/** What the console needs to know to list, edit and preview the rules of one kind. */
export interface RuleKind<Rule extends object, Effect> {
  /** The key of the query, and the name of the exported file. */
  readonly key: string
  readonly caption: string
  readonly none: string
  /** Said if there are several rules. */
  readonly order: string
  readonly fields: readonly RuleField[]
  readonly formNote?: string
  place(rule: Rule): string
  text(rule: Rule): string
  load(signal: AbortSignal): Promise<StoredRules<Rule>>
  /** What the rules would change, if they are valid. */
  preview(rules: readonly Rule[]): Promise<Effect>
  save(rules: readonly Rule[], etag: string): Promise<unknown>
  showEffect(effect: Effect): ReactNode
}

export type RuleTexts = Readonly<Record<string, string>>

export const textsOf = (rule: object, fields: readonly RuleField[]): RuleTexts => {
  const members = rule as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    fields.flatMap(({ name }) => (members[name] === undefined ? [] : [[name, String(members[name])]])),
  )
}

/** Empty fields are not set. Invalid numbers are sent as they are, so that the service names the field. */
export function ruleOf<Rule extends object>(
  rule: Rule,
  texts: RuleTexts,
  fields: readonly RuleField[],
): Rule {
  const others = Object.entries(rule).filter(([name]) => !fields.some((field) => field.name === name))
  const edited = fields.flatMap(({ name, isNumber }) => {
    const text = (texts[name] ?? '').trim()
    if (text === '') return []
    return [[name, isNumber && Number.isFinite(Number(text)) ? Number(text) : text] as const]
  })
  return Object.fromEntries([...others, ...edited]) as Rule
}

export interface RuleDifference<Rule> {
  readonly added: readonly Rule[]
  readonly removed: readonly Rule[]
}

/** Returns the rules that only one of two lists has. A changed rule is in both. */
export function differenceOf<Rule extends object>(
  before: readonly Rule[],
  after: readonly Rule[],
): RuleDifference<Rule> {
  const idOf = (rule: Rule) =>
    JSON.stringify(Object.entries(rule).sort(([one], [other]) => (one < other ? -1 : 1)))
  const without = (rules: readonly Rule[], others: readonly Rule[]) => {
    const ids = new Set(others.map(idOf))
    return rules.filter((rule) => !ids.has(idOf(rule)))
  }
  return { added: without(after, before), removed: without(before, after) }
}
