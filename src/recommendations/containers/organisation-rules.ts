import type { Precondition } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { SizingRule } from '../../rightsizing/constraints/sizing-rules.ts'
import { settingTag, writeExpected } from '../../store/expected-setting.ts'
import type { SettingsStore } from '../../store/port.ts'
import { parseRule, patternNames, type SizingRuleInput, settingNames } from './parse-constraints.ts'

export interface SizingRulesDeps {
  readonly store: { readonly settings: SettingsStore }
}

export interface OrganisationRules {
  readonly organisation: string
  readonly rules: readonly SizingRuleInput[]
  readonly etag: string
}

const settingName = 'sizing-rules'
export const maxRules = 100

export async function sizingRulesOf(
  { store }: SizingRulesDeps,
  organisation: string,
): Promise<readonly SizingRule[]> {
  return rulesIn(await store.settings.read(organisation, settingName)).map((rule) => parseRule(rule, '', []))
}

export async function readSizingRules(
  { store }: SizingRulesDeps,
  organisation: string,
): Promise<OrganisationRules> {
  return viewRules(organisation, await store.settings.read(organisation, settingName))
}

/** Replaces all rules of the organisation, or throws if `isExpected` does not hold for the current ones. */
export async function setSizingRules(
  { store }: SizingRulesDeps,
  organisation: string,
  rules: readonly SizingRuleInput[],
  isExpected?: Precondition,
): Promise<OrganisationRules> {
  checkRules(rules)
  const kept = rules.map((rule) => pick(rule, [...patternNames, ...settingNames]))
  const text = kept.length === 0 ? undefined : JSON.stringify(kept)
  const setting = { organisation, name: settingName, text }
  await writeExpected(
    store.settings,
    setting,
    isExpected,
    (stored) =>
      new Problem(
        'precondition-failed',
        'The sizing rules were changed meanwhile, and nothing was saved. Check the current rules, then try again.',
        { extra: { current: viewRules(organisation, stored) } },
      ),
  )
  return viewRules(organisation, text)
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

function viewRules(organisation: string, text: string | undefined): OrganisationRules {
  return { organisation, rules: rulesIn(text), etag: settingTag(text) }
}

const pick = (rule: SizingRuleInput, names: readonly (keyof SizingRuleInput)[]): SizingRuleInput =>
  Object.fromEntries(names.flatMap((name) => (rule[name] === undefined ? [] : [[name, rule[name]]])))

const rulesIn = (text: string | undefined): SizingRuleInput[] => (text === undefined ? [] : JSON.parse(text))
