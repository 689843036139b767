import type { Decision, Recommendation } from './queries.ts'

/** Whether a decision would change the state of a recommendation. What was applied is only reported. */
export const mayBecome = ({ state }: Recommendation, to: Decision['state']): boolean =>
  state !== 'applied' && state !== to
