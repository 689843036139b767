import type { ComponentType, ReactNode } from 'react'

/** A member of a rule in its form. Other members stay as they are, and can be edited as YAML. */
export interface RuleField {
  readonly name: string
  readonly label: string
  readonly note?: string
  readonly placeholder?: string
  readonly isNumber?: boolean
  readonly isDate?: boolean
  /** The first is the default. */
  readonly options?: readonly (readonly [string, string])[]
  /** Whether rules with these other members can have it; default: all. What they cannot have is removed. */
  readonly appliesTo?: (texts: RuleTexts) => boolean
  /** How a member that is neither text nor a number is written in one line. */
  readonly list?: { show(value: unknown): string; parse(text: string): unknown }
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
  /** Said if there are several rules; undefined if their order has no meaning. */
  readonly order?: string
  /** The member of the YAML view that holds the rules; undefined if there is at most one, which is the whole text. */
  readonly member: 'rules' | 'commitments' | undefined
  readonly fields: readonly RuleField[]
  readonly formNote?: string
  place(rule: Rule): string
  text(rule: Rule): string
  /** What is known of a stored rule beyond its text. */
  Detail?: ComponentType<{ readonly rule: Rule }>
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
    fields.map(({ name, options, list }) => {
      const value = members[name]
      if (value === undefined) return [name, options?.[0]?.[0] ?? '']
      return [name, list === undefined ? String(value) : list.show(value)]
    }),
  )
}

/** Empty fields are not set. Invalid numbers are sent as they are, so that the service names the field. */
export function ruleOf<Rule extends object>(
  rule: Rule,
  texts: RuleTexts,
  fields: readonly RuleField[],
): Rule {
  const others = Object.entries(rule).filter(([name]) => !fields.some((field) => field.name === name))
  const edited = fields.flatMap(({ name, isNumber, list, appliesTo }) => {
    const text = (texts[name] ?? '').trim()
    if (text === '' || appliesTo?.(texts) === false) return []
    if (list !== undefined) return [[name, list.parse(text)] as const]
    return [[name, isNumber && Number.isFinite(Number(text)) ? Number(text) : text] as const]
  })
  return Object.fromEntries([...others, ...edited]) as Rule
}

/** The name of one rule of a kind: price rule. */
export const nounOf = ({ caption }: { readonly caption: string }): string =>
  caption.toLowerCase().replace(/s$/, '')

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
