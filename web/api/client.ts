import createClient from 'openapi-fetch'
import { connection } from './connection.ts'
import { demo } from './demo.ts'
import { Away, Refused } from './problem.ts'
import type { Problem, paths } from './schema.ts'
import { session } from './session.ts'

/** The service, typed by its API document. The browser adds the session cookie by itself. */
export const service = createClient<paths>({
  // fetch is looked up at each call, so that a wrapper that the page installs is used.
  fetch: (request) => globalThis.fetch(request),
  credentials: 'same-origin',
})

service.use({
  onRequest: ({ request }) => {
    // Marks a request of the console. Other sites cannot set this header.
    request.headers.set('x-cheapside-session', 'console')
    const demoKey = demo.key.get()
    const isOwn = request.headers.has('x-api-key') || new URL(request.url).pathname === '/admin/demo'
    if (demoKey !== undefined && !isOwn) request.headers.set('x-api-key', demoKey)
    return request
  },
})

/** Codes of a service that works but cannot answer this request at the moment. */
const workingCodes: ReadonlySet<string> = new Set([
  'too-many-connections',
  'overloaded',
  'busy',
  'loading',
] satisfies Problem['code'][])

interface Answered<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** Returns the body of a successful response; otherwise throws Refused or Away. An expired session ends here too. */
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
  if (response.status === 503 && !workingCodes.has(problem.code ?? '')) {
    connection.lost(problem.detail ?? 'The service accepts no requests at the moment.')
    throw new Away(problem.detail ?? 'The service accepts no requests at the moment.')
  }
  connection.found()
  if (response.status === 401 && session.isOpen()) {
    demo.leave()
    session.end('refused')
  }
  throw new Refused(response.status, problem)
}
