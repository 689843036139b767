import type { Problem } from './schema.ts'

/** The service responded with an error. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly problem: Partial<Problem>

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? `The service answered with status ${status}.`)
    this.status = status
    this.problem = problem
  }
}

/** The service did not respond, or responded that it is not accepting work at the moment. */
export class Away extends Error {
  override readonly name = 'Away'
}

/** Whether the same request may succeed soon. */
export const isTemporary = (error: Error): boolean =>
  !(error instanceof Away) && (!(error instanceof Refused) || error.status === 503)

export const isMissing = (error: unknown): boolean => error instanceof Refused && error.status === 404

/** Explains an error to the user, with similar names that exist if the service lists them. */
export function explain(error: unknown): { text: string; details: string[]; requestId?: string } {
  if (error instanceof Refused) {
    const { errors = [], nearest = {}, request_id } = error.problem
    const near = Object.entries(nearest).flatMap(([what, names]) =>
      Array.isArray(names) && names.length > 0 ? [`${what.replaceAll('_', ' ')}: ${names.join(', ')}`] : [],
    )
    return {
      text: error.message,
      details: [...errors.map(({ pointer = '', message = '' }) => `${pointer} ${message}`.trim()), ...near],
      ...(request_id === undefined ? {} : { requestId: request_id }),
    }
  }
  if (error instanceof Away) return { text: 'The service is not reachable at the moment.', details: [] }
  return { text: error instanceof Error ? error.message : String(error), details: [] }
}
