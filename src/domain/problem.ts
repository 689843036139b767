/** Every error code that a caller can receive. The API document is generated from this table, and a test compares docs/operations/reference.md with it. */
export const problemTable = {
  'bad-request': [
    400,
    'Bad request',
    'The request is malformed: its URL, a header or the message itself cannot be parsed.',
  ],
  'not-json': [400, 'Body is not JSON', 'The body is empty or is not valid JSON.'],
  unauthenticated: [
    401,
    'A valid API key is required',
    'The key is missing, malformed, unknown, revoked or expired.',
  ],
  'key-expired': [
    401,
    'The key has expired',
    'The key was valid and has expired. This code is returned only when signing in to the console.',
  ],
  'forged-request': [
    403,
    'Not sent by the console',
    'A request with a session cookie that changes something must come from the same origin and have the header X-Cheapside-Session.',
  ],
  forbidden: [
    403,
    'Not allowed with this key',
    'The key is valid but lacks the scope that the endpoint requires.',
  ],
  'not-found': [404, 'Not found', 'No route matches this path, or no resource has this name.'],
  'unknown-provider': [404, 'Unknown provider', 'No provider has this name; `nearest` lists similar names.'],
  'unknown-region': [
    404,
    'Unknown region',
    'The provider has no such region; `nearest` lists similar names.',
  ],
  'unknown-instance-type': [
    404,
    'Unknown instance type',
    'The provider offers no such type in this region; `nearest` lists similar names.',
  ],
  'no-price': [
    404,
    'No such price',
    'The type is known but has no price for this region, operating system and usage type; `nearest` lists the available combinations.',
  ],
  'method-not-allowed': [
    405,
    'Method not allowed',
    'The path exists but does not support this method; see the Allow header.',
  ],
  'not-acceptable': [
    406,
    'Not acceptable',
    'The endpoint cannot produce a media type that the Accept header allows.',
  ],
  timeout: [
    408,
    'Request took too long to arrive',
    'The request did not arrive completely within the time limit.',
  ],
  conflict: [409, 'Conflict', 'The current state of the resource does not allow this.'],
  'precondition-failed': [
    412,
    'Changed meanwhile',
    'Someone has changed the resource since the state that If-Match names; nothing was changed, and `current` is the state now.',
  ],
  'body-too-large': [413, 'Body too large', 'The body is larger than the endpoint accepts.'],
  'unsupported-media-type': [
    415,
    'Unsupported media type',
    'The endpoint does not accept the media type of the body.',
  ],
  invalid: [
    422,
    'Invalid request',
    'The request is well-formed, but a field is missing or invalid; `errors` lists each one.',
  ],
  'rate-limited': [
    429,
    'Too many requests',
    'The key, or the client address if no valid key was sent, has exceeded its rate limit; see Retry-After.',
  ],
  'too-many-series': [
    429,
    'Too many series',
    'The organisation has reached its limit of active series; series that are already active are still accepted.',
  ],
  'headers-too-large': [
    431,
    'Header fields too large',
    'The header fields are larger than the server accepts.',
  ],
  internal: [500, 'Internal error', 'An unexpected error occurred; search the log for the request id.'],
  starting: [503, 'Starting', 'The service is not ready yet; retry soon.'],
  draining: [
    503,
    'Shutting down',
    'This node is shutting down and accepts no new requests; retry to reach another node.',
  ],
  'too-many-connections': [
    503,
    'Too many connections',
    'The node or the client address has reached its limit of open connections; close some or retry.',
  ],
  overloaded: [
    503,
    'Overloaded',
    'Request bodies and pending writes have used up the memory reserved for them; retry later.',
  ],
  busy: [
    503,
    'Too many heavy reads',
    'The limit of concurrent heavy requests is reached, for the organisation or for the node; see Retry-After.',
  ],
  loading: [
    503,
    'Loading',
    'Usage that was acknowledged before this node started is still being loaded; see Retry-After.',
  ],
  'store-unavailable': [
    503,
    'Database unavailable',
    'The database is unreachable or its disk is full; nothing was changed; retry later.',
  ],
} as const satisfies Record<string, readonly [number, string, string]>

export type ProblemCode = keyof typeof problemTable

export interface FieldError {
  /** JSON pointer into the body, or `?name` for a query parameter. */
  readonly pointer: string
  readonly message: string
}

/** An error that is reported to the caller. `extra` members are added to the standard members of the response. */
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
