import type { Precondition } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { findProvider, providers } from '../../providers/providers.ts'
import { settingTag, writeExpected } from '../../store/expected-setting.ts'
import { type SettingsStore, settingTopic } from '../../store/port.ts'
import { parsePriceRules } from './parse-rules.ts'
import type { PriceRule } from './price-rule.ts'
import type { PriceRuleInput, PriceRulesView } from './schema.ts'

const settingName = 'price-rules'
export const rulesTopicPrefix = settingTopic(settingName, '')

export const readPriceRules = async (settings: SettingsStore, organisation: string): Promise<PriceRule[]> =>
  parsePriceRules(rulesIn(await settings.read(organisation, settingName)), { providers, findProvider }, [])

export const showPriceRules = async (
  settings: SettingsStore,
  organisation: string,
): Promise<PriceRulesView> => viewRules(await settings.read(organisation, settingName))

export function checkPriceRules(rules: readonly PriceRuleInput[]): PriceRule[] {
  const errors: FieldError[] = []
  const parsed = parsePriceRules(rules, { providers, findProvider }, errors)
  if (errors.length > 0) throw new Problem('invalid', 'The price rules cannot be set.', { errors })
  return parsed
}

/** Replaces all rules, or none if one is wrong or if `isExpected` does not hold for the current ones. */
export async function writePriceRules(
  settings: SettingsStore,
  organisation: string,
  rules: readonly PriceRuleInput[],
  isExpected?: Precondition,
): Promise<PriceRulesView> {
  checkPriceRules(rules)
  const text = rules.length === 0 ? undefined : JSON.stringify(rules)
  await writeExpected(settings, { organisation, name: settingName, text }, isExpected, lostUpdate)
  return viewRules(text)
}

const lostUpdate = (stored: string | undefined): Problem =>
  new Problem(
    'precondition-failed',
    'The price rules were changed meanwhile, and nothing was saved. Check the current rules, then try again.',
    { extra: { current: viewRules(stored) } },
  )

const viewRules = (text: string | undefined): PriceRulesView => ({
  rules: rulesIn(text),
  etag: settingTag(text),
})

const rulesIn = (text: string | undefined): PriceRuleInput[] => (text === undefined ? [] : JSON.parse(text))
