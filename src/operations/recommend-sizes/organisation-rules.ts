import { type FieldError, Problem } from '../../domain/problem.ts'
import {
  type ConstraintsInput,
  parseRule,
  type SizingRuleInput,
} from '../../namespace-sizes/parse-constraints.ts'
import type { SizingRule } from '../../rightsizing/constraints/sizing-rules.ts'
import type { SettingsStore } from '../../store/port.ts'
import { checkOrganisationName } from './preference.ts'

export interface SizingRulesDeps {
  readonly store: { readonly settings: SettingsStore }
}

export interface OrganisationRules {
  readonly organisation: string
  readonly rules: readonly SizingRuleInput[]
}

const settingName = 'sizing-rules'
export const maxRules = 100

/** Returns the rules in order; empty if none was set. */
export async function sizingRulesOf(
  { store }: SizingRulesDeps,
  organisation: string,
): Promise<readonly SizingRule[]> {
  return (await storedRules(store.settings, organisation)).map((rule) => parseRule(rule, '', []))
}

export async function readSizingRules(
  { store }: SizingRulesDeps,
  organisation: string,
): Promise<OrganisationRules> {
  checkOrganisationName(organisation)
  return { organisation, rules: await storedRules(store.settings, organisation) }
}

/** Replaces all rules of the organisation. */
export async function setSizingRules(
  { store }: SizingRulesDeps,
  organisation: string,
  rules: readonly SizingRuleInput[],
): Promise<OrganisationRules> {
  checkOrganisationName(organisation)
  const errors: FieldError[] = []
  if (rules.length > maxRules)
    errors.push({ pointer: '/rules', message: `must not have more than ${maxRules} rules` })
  for (const [index, rule] of rules.entries()) {
    parseRule(rule, `/rules/${index}/`, errors)
    if (Object.values(constraintWords(rule)).every((value) => value === undefined))
      errors.push({
        pointer: `/rules/${index}`,
        message:
          'must set at least one of limits, min_cpu, max_cpu, min_memory, max_memory, cpu_memory_ratio',
      })
  }
  if (errors.length > 0) throw new Problem('invalid', 'The sizing rules cannot be set.', { errors })
  const kept = rules.map(({ cluster, namespace, ...rule }) => ({
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
    ...constraintWords(rule),
  }))
  await store.settings.write(organisation, settingName, kept.length === 0 ? undefined : JSON.stringify(kept))
  return { organisation, rules: kept }
}

const constraintWords = ({
  limits,
  min_cpu,
  max_cpu,
  min_memory,
  max_memory,
  cpu_memory_ratio,
}: ConstraintsInput): ConstraintsInput =>
  Object.fromEntries(
    Object.entries({ limits, min_cpu, max_cpu, min_memory, max_memory, cpu_memory_ratio }).filter(
      ([, value]) => value !== undefined,
    ),
  )

async function storedRules(settings: SettingsStore, organisation: string): Promise<SizingRuleInput[]> {
  const text = await settings.read(organisation, settingName)
  return text === undefined ? [] : JSON.parse(text)
}
