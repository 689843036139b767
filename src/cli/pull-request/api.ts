import { CommandFailure } from '../command.ts'

export interface ApiOptions {
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  readonly wait: (ms: number) => Promise<void>
  readonly now: () => number
}

/** A comment is not worth delaying a pipeline for longer. */
const maxWaitMs = 90_000
const maxTries = 5

/** A client of a JSON API that respects rate limits and retries errors of the server. */
export class Api {
  readonly #options: ApiOptions

  constructor(options: ApiOptions) {
    this.#options = options
  }

  /** Returns the last answer, whatever its status. Throws if the service cannot be reached or keeps refusing. */
  async send(method: string, path: string, body?: unknown): Promise<Response> {
    const { base, headers, wait } = this.#options
    const url = path.startsWith('http') ? sameOrigin(path, base) : base + path
    let waitedMs = 0
    for (let tries = 1; ; tries++) {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        // A redirect must not send the token to another address.
        redirect: 'error',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((error: Error & { cause?: Error }) => {
        // Without a cause, fetch refused to send the headers, and its message contains the token.
        if (error.cause === undefined)
          throw new CommandFailure(`the token for ${base} contains characters that no token has`)
        throw new CommandFailure(`${base} cannot be reached: ${error.cause.message || error.message}`)
      })
      const waitMs = this.#waitFor(response, tries)
      if (waitMs === undefined) return response
      if (tries === maxTries || waitedMs + waitMs > maxWaitMs)
        throw new CommandFailure(
          `${base} answered ${response.status} and asked to wait ${Math.ceil(waitMs / 1000)} s`,
        )
      await response.body?.cancel()
      await wait(waitMs)
      waitedMs += waitMs
    }
  }

  /** Yields the items of all pages of a list. The Link header names the next page. */
  async *pages<Item>(path: string): AsyncGenerator<Item> {
    for (let next: string | undefined = path; next !== undefined; ) {
      const response = await this.send('GET', next)
      if (response.status === 403) throw new MayNotComment((await this.failure(response)).message)
      if (!response.ok) throw await this.failure(response)
      yield* (await response.json()) as Item[]
      next = /<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
  }

  failure(response: Response): Promise<Error> {
    return failureOf(this.#options.base, response)
  }

  /** The wait before a retry; undefined if the answer is final. GitHub also signals rate limits by 403. */
  #waitFor({ status, headers }: Response, tries: number): number | undefined {
    const after = headers.get('retry-after')
    const isLimited =
      status === 429 || (status === 403 && (after !== null || headers.get('x-ratelimit-remaining') === '0'))
    if (!isLimited && status < 500) return undefined
    if (after !== null && /^\d+$/.test(after)) return Number(after) * 1000
    const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset'))
    if (isLimited && reset > 0) return Math.max(0, reset * 1000 - this.#options.now())
    return 1000 * 2 ** (tries - 1)
  }
}

async function failureOf(base: string, response: Response): Promise<Error> {
  const text = await response.text().catch(() => '')
  let message = ''
  try {
    message = String((JSON.parse(text) as { message?: unknown }).message ?? '')
  } catch {}
  return new CommandFailure(`${base} answered ${response.status}${message === '' ? '' : `: ${message}`}`)
}

function sameOrigin(url: string, base: string): string {
  if (new URL(url).origin !== new URL(base).origin)
    throw new CommandFailure(`${base} refers to another host for its next page, which is not followed`)
  return url
}

export interface PullRequest {
  /** Pages are fetched only as far as the caller reads. */
  comments(): AsyncIterable<{ readonly id: number; readonly body: string }>
  create(body: string): Promise<void>
  /** Resolves to false if the comment is gone or belongs to somebody else. */
  update(id: number, body: string): Promise<boolean>
  /** The longest body that the service accepts, in characters. */
  readonly maxCharacters: number
}

/** The token may not comment, as on pull requests from forks. */
export class MayNotComment extends Error {
  override readonly name = 'MayNotComment'
}

/** Updates the comment that begins with the mark, or creates it if there is none. */
export async function putComment(pullRequest: PullRequest, mark: string, text: string): Promise<void> {
  const body = `${mark}\n${text}`
  for await (const comment of pullRequest.comments()) {
    if (!comment.body.startsWith(mark)) continue
    if (await pullRequest.update(comment.id, body)) return
  }
  await pullRequest.create(body)
}

/** A line that is invisible in Markdown. Jobs with different tags have separate comments. */
export const markOf = (tag: string): string => `<!-- cheapside-review ${tag.replace(/[^\w.-]/g, '-')} -->`
