import type { Precondition } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { findProvider, providers } from '../../providers/providers.ts'
import { ListSetting } from '../../store/list-setting.ts'
import { type SettingsStore, settingTopic } from '../../store/port.ts'
import { parsePriceRules } from './parse-rules.ts'
import type { PriceRule } from './price-rule.ts'
import type { PriceRuleInput, PriceRulesView } from './schema.ts'

const settingName = 'price-rules'
export const rulesTopicPrefix = settingTopic(settingName, '')

const setting = new ListSetting<PriceRuleInput, PriceRulesView>(
  settingName,
  'price rules',
  (rules, etag) => ({ rules, etag }),
)

export const readPriceRules = async (settings: SettingsStore, organisation: string): Promise<PriceRule[]> =>
  parsePriceRules(await setting.read(settings, organisation), { providers, findProvider }, [])

export const showPriceRules = (settings: SettingsStore, organisation: string): Promise<PriceRulesView> =>
  setting.show(settings, organisation)

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
  return setting.replace(settings, organisation, rules, isExpected)
}
