import { publicPolicyList } from '../../rightsizing/estimators/public-policies.ts'

/** Names of the public policies that a caller may compare with. */
export const publicPolicyNames: readonly string[] = publicPolicyList.map(({ name }) => name)
