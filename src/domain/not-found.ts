import { type FieldError, Problem, type ProblemCode } from './problem.ts'

/** Why a lookup found nothing. It is a value, because only some callers report it as a problem. */
export class NotFound {
  readonly code: ProblemCode
  readonly reason: string
  /** Names that do exist, by what they name. */
  readonly nearest: Readonly<Record<string, readonly string[]>> | undefined
  /** The fields of the request that are the cause. */
  readonly errors: readonly FieldError[] | undefined

  constructor(
    code: ProblemCode,
    reason: string,
    more: { nearest?: NotFound['nearest'] | undefined; errors?: NotFound['errors'] } = {},
  ) {
    this.code = code
    this.reason = reason
    this.nearest = more.nearest
    this.errors = more.errors
  }
}

/** Returns what was found. Throws the problem for the caller of the service if it is not there. */
export function orProblem<Found>(found: Found | NotFound): Found {
  if (!(found instanceof NotFound)) return found
  const { code, reason, nearest, errors } = found
  throw new Problem(code, reason, { ...(errors && { errors }), ...(nearest && { extra: { nearest } }) })
}
