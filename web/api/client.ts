import createClient from 'openapi-fetch'
import { connection } from '../app/connection.ts'
import { session } from '../app/session.ts'
import { Away, Refused } from './problem.ts'
import type { Problem, paths } from './schema.ts'

/** The service, typed by its API document. The key goes into a header and nowhere else. */
export const service = createClient<paths>({
  // Read at each call, so that a page's own wrapper of fetch counts.
  fetch: (request) => globalThis.fetch(request),
  credentials: 'omit',
})

service.use({
  onRequest: ({ request }) => {
    const key = session.key()
    if (key !== undefined && !request.headers.has('x-api-key')) request.headers.set('x-api-key', key)
    return request
  },
})

interface Answered<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** The body of a good answer; throws Refused or Away otherwise. A key that is no longer good ends the session. */
export async function answer<Data>(asking: Promise<Answered<Data>>): Promise<Data> {
  return (await answerWithResponse(asking)).data
}

export async function answerWithResponse<Data>(
  asking: Promise<Answered<Data>>,
): Promise<{ data: Data; response: Response }> {
  const { data, error, response } = await asking.catch((reason: unknown) => {
    if ((reason as Error).name === 'AbortError') throw reason
    connection.lost('The service is not reachable.')
    throw new Away('The service is not reachable.', { cause: reason })
  })
  if (response.ok) {
    connection.found()
    return { data: data as Data, response }
  }
  const problem = (typeof error === 'object' && error !== null ? error : {}) as Partial<Problem>
  if (response.status === 503) {
    connection.lost(problem.detail ?? 'The service accepts no requests at the moment.')
    throw new Away(problem.detail ?? 'The service accepts no requests at the moment.')
  }
  connection.found()
  if (response.status === 401 && session.key() !== undefined) session.end('refused')
  throw new Refused(response.status, problem)
}
