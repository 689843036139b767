/** Every error code a caller can meet, in one table; the API document and docs/errors.md grow from it. */
export const problemTable = {
  'bad-request': [
    400,
    'Bad request',
    'The request cannot be understood: a malformed URL, header or message.',
  ],
  'not-json': [400, 'Body is not JSON', 'The body is empty or is not valid JSON.'],
  unauthenticated: [
    401,
    'A valid API key is needed',
    'The key is missing, malformed, unknown, revoked or expired.',
  ],
  forbidden: [
    403,
    'Not allowed with this key',
    'The key is valid but lacks the scope the endpoint asks for.',
  ],
  'not-found': [404, 'Not found', 'There is nothing at this address, or nothing of this name.'],
  'unknown-provider': [
    404,
    'Unknown provider',
    'No provider has this name; `nearest` lists those that come close.',
  ],
  'unknown-region': [
    404,
    'Unknown region',
    'The provider has no such region; `nearest` lists those that come close.',
  ],
  'unknown-instance-type': [
    404,
    'Unknown instance type',
    'The provider offers no such type there; `nearest` lists those that come close.',
  ],
  'no-price': [
    404,
    'No such price',
    'The type is known but has no price for this region, system and usage type; `nearest` lists what is on offer.',
  ],
  'method-not-allowed': [
    405,
    'Method not allowed',
    'The address exists, for other methods; see the Allow header.',
  ],
  'not-acceptable': [
    406,
    'Not acceptable',
    'The endpoint cannot answer in a media type that the Accept header takes.',
  ],
  timeout: [408, 'Request took too long to arrive', 'The whole request did not arrive in time.'],
  conflict: [409, 'Conflict', 'The thing is not in a state that allows this.'],
  'body-too-large': [413, 'Body too large', 'The body is larger than the endpoint takes.'],
  'unsupported-media-type': [
    415,
    'Unsupported media type',
    'The body is not of a media type that the endpoint reads.',
  ],
  invalid: [422, 'Invalid request', 'Well-formed, but a field is missing or wrong; `errors` names each.'],
  'rate-limited': [
    429,
    'Too many requests',
    'The key, or without one the address, has used up its rate; see Retry-After.',
  ],
  'too-many-series': [
    429,
    'Too many series',
    'The organisation sends more series at a time than it may; what it sends already is still taken.',
  ],
  'headers-too-large': [
    431,
    'Header fields too large',
    'The header fields are larger than the server reads.',
  ],
  internal: [500, 'Internal error', 'Something went wrong inside; the request id finds it in the log.'],
  starting: [503, 'Starting', 'The service is not ready yet; try again soon.'],
  draining: [
    503,
    'Shutting down',
    'This node is finishing its work and takes no more; try again, another will answer.',
  ],
  'too-many-connections': [
    503,
    'Too many connections',
    'The node, or one address, has as many connections open as it may; close some, or try again.',
  ],
  overloaded: [
    503,
    'Overloaded',
    'More is sent at a time, or waits to be written, than memory is set aside for; try again.',
  ],
  busy: [
    503,
    'Too many heavy reads',
    'As many recommendations as may be worked on at a time are, for the organisation or for all; see Retry-After.',
  ],
  loading: [
    503,
    'Loading',
    'Usage that was acknowledged before this node started is not digested yet; see Retry-After.',
  ],
  'store-unavailable': [
    503,
    'Database unavailable',
    'The database cannot be reached or has no room; nothing was changed; try again.',
  ],
} as const satisfies Record<string, readonly [number, string, string]>

export type ProblemCode = keyof typeof problemTable

export interface FieldError {
  /** JSON pointer into the body, or `?name` for a query parameter. */
  readonly pointer: string
  readonly message: string
}

/** An error meant for the caller. `extra` members stand beside the standard ones in the answer. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly errors: readonly FieldError[] | undefined
  readonly extra: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: readonly FieldError[]
      extra?: Record<string, unknown>
      retryAfterSeconds?: number
      cause?: unknown
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.errors = more.errors
    this.extra = more.extra
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  get status(): number {
    return problemTable[this.code][0]
  }
}
