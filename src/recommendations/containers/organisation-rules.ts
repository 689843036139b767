import type { Precondition } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { SizingRule } from '../../rightsizing/constraints/sizing-rules.ts'
import { ListSetting } from '../../store/list-setting.ts'
import type { SettingsStore } from '../../store/port.ts'
import { parseRule, patternNames, type SizingRuleInput, settingNames } from './parse-constraints.ts'

export type SizingRulesDeps = { readonly store: { readonly settings: SettingsStore } }

export interface OrganisationRules {
  readonly organisation: string
  readonly rules: readonly SizingRuleInput[]
  readonly etag: string
}

export const maxRules = 100

const setting = new ListSetting<SizingRuleInput, OrganisationRules>(
  'sizing-rules',
  'sizing rules',
  (rules, etag, organisation) => ({ organisation, rules, etag }),
)

export const sizingRulesOf = async (
  { store }: SizingRulesDeps,
  organisation: string,
): Promise<readonly SizingRule[]> =>
  (await setting.read(store.settings, organisation)).map((rule) => parseRule(rule, '', []))

export const readSizingRules = (
  { store }: SizingRulesDeps,
  organisation: string,
): Promise<OrganisationRules> => setting.show(store.settings, organisation)

/** Replaces all rules of the organisation, or throws if `isExpected` does not hold for the current ones. */
export async function setSizingRules(
  { store }: SizingRulesDeps,
  organisation: string,
  rules: readonly SizingRuleInput[],
  isExpected?: Precondition,
): Promise<OrganisationRules> {
  checkRules(rules)
  const kept = rules.map((rule) => pick(rule, [...patternNames, ...settingNames]))
  return setting.replace(store.settings, organisation, kept, isExpected)
}

export function checkRules(rules: readonly SizingRuleInput[]): SizingRule[] {
  const errors: FieldError[] = []
  if (rules.length > maxRules)
    errors.push({ pointer: '/rules', message: `must not have more than ${maxRules} rules` })
  const parsed = rules.map((rule, index) => {
    if (Object.keys(pick(rule, settingNames)).length === 0)
      errors.push({
        pointer: `/rules/${index}`,
        message: `must set at least one of ${settingNames.join(', ')}`,
      })
    return parseRule(rule, `/rules/${index}/`, errors)
  })
  if (errors.length > 0) throw new Problem('invalid', 'The sizing rules cannot be set.', { errors })
  return parsed
}

const pick = (rule: SizingRuleInput, names: readonly (keyof SizingRuleInput)[]): SizingRuleInput =>
  Object.fromEntries(names.flatMap((name) => (rule[name] === undefined ? [] : [[name, rule[name]]])))
