import type { CommandOption } from '../command.ts'

export const profileOption: CommandOption = {
  type: 'string',
  value: 'NAME',
  text: 'Sizing profile: balanced, cost, safe; or a public policy, see below',
}

/** Every name that the option accepts in addition to those in its text. */
export async function publicPolicies(): Promise<string> {
  const { publicPolicyNames } = await import('../../operations/recommend-sizes/advisors.ts')
  return `Public policies, for comparison: ${publicPolicyNames.join(', ')}.`
}
