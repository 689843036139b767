import { mcpFailure } from './mcp-operations.ts'
import { readOperations } from './operations.ts'
import type { FuzzRequest } from './request.ts'
import type { Answer, NoAnswer } from './send.ts'

export type FindingKind =
  | 'server-error'
  | 'no-answer'
  | 'slow'
  | 'undocumented-status'
  | 'undocumented-body'
  | 'not-a-problem'
  | 'isolation'
  | 'leaked-internals'
  | 'process-ended'
  | 'wrong-state'

export interface Verdict {
  readonly kind: FindingKind
  readonly detail: string
}

/** Texts that only their own organisation may read, by organisation. */
export type Secrets = ReadonlyMap<string, string>

export interface OracleOptions {
  readonly secrets: Secrets
  readonly slowMs: number
  readonly problemSchema: object
}

export type Oracle = (request: FuzzRequest, answer: Answer | NoAnswer) => Verdict | undefined

/** Statuses of answers to messages that match no operation, or were refused before one was selected. */
const messageStatuses = new Set([
  400, 401, 403, 404, 405, 406, 408, 409, 411, 413, 414, 415, 417, 422, 431, 501, 505,
])
export function createOracle({ secrets, slowMs, problemSchema }: OracleOptions): Oracle {
  const checkProblem = problemCheck(problemSchema)
  return (request, answer) => {
    if ('failure' in answer)
      return isWhole(request) ? { kind: 'no-answer', detail: answer.failure } : undefined
    const { status, body } = answer
    if (status >= 500 && status !== 503 && !(request.malformed && (status === 501 || status === 505)))
      return { kind: 'server-error', detail: `${status} ${textOf(body).slice(0, 300)}` }
    return (
      checkSecrets(request, body, secrets) ??
      checkInternals(body) ??
      checkStatus(request, status) ??
      checkBody(request, answer, checkProblem) ??
      (answer.ms > slowMs ? { kind: 'slow', detail: `took longer than ${slowMs} ms` } : undefined)
    )
  }
}

/** Whether a message has complete headers. An incomplete message gets no answer. */
const isWhole = ({ message }: FuzzRequest): boolean =>
  message === undefined || message.toString('latin1').trimStart().includes('\r\n\r\n')

function checkSecrets({ caller }: FuzzRequest, body: Buffer, secrets: Secrets): Verdict | undefined {
  for (const [organisation, secret] of secrets)
    if (organisation !== caller && body.includes(secret))
      return { kind: 'isolation', detail: `shows ${organisation}'s text ${secret} to "${caller}"` }
  return undefined
}

function checkInternals(body: Buffer): Verdict | undefined {
  const found = /node_modules|\n {4}at |node:internal|\/src\/[\w/-]+\.ts/.exec(
    textOf(body.subarray(0, 20_000)),
  )
  return found === null ? undefined : { kind: 'leaked-internals', detail: found[0] }
}

function checkStatus(request: FuzzRequest, status: number): Verdict | undefined {
  const { operation } = request
  if (operation === undefined) {
    if (status < 400 || status === 503 || messageStatuses.has(status)) return undefined
  } else {
    if (operation.answers.has(status)) return undefined
  }
  return { kind: 'undocumented-status', detail: `${status} is not documented here` }
}

function checkBody(
  { method, path, operation }: FuzzRequest,
  { status, headers, body }: Answer,
  checkProblem: (value: unknown) => string | undefined,
): Verdict | undefined {
  if (method === 'HEAD') return undefined
  const mediaType = headers['content-type']?.split(';')[0] ?? ''
  // Pages of the console are HTML and have no schema.
  if (operation === undefined && mediaType === 'text/html') return undefined
  if (path.startsWith('/mcp') && mediaType !== 'application/problem+json') {
    const fault = mcpFailure(textOf(body))
    return fault === undefined ? undefined : { kind: 'server-error', detail: fault }
  }
  if (status >= 400 && !(status === 503 && mediaType === 'application/json')) {
    if (mediaType !== 'application/problem+json')
      return { kind: 'not-a-problem', detail: `${status} as "${mediaType}": ${textOf(body).slice(0, 200)}` }
    const fault = parsedFault(body, checkProblem)
    return fault === undefined ? undefined : { kind: 'not-a-problem', detail: `${status}: ${fault}` }
  }
  const documented = operation?.answers.get(status)
  if (documented === undefined || status === 304) return undefined
  if (documented.mediaTypes.length === 0)
    return body.length === 0 ? undefined : { kind: 'undocumented-body', detail: `${status} has a body` }
  if (mediaType !== 'application/json') return undefined
  const fault = parsedFault(body, documented.check)
  return fault === undefined ? undefined : { kind: 'undocumented-body', detail: `${status}: ${fault}` }
}

function parsedFault(body: Buffer, check: (value: unknown) => string | undefined): string | undefined {
  try {
    return check(JSON.parse(body.toString()))
  } catch (error) {
    return `not JSON: ${(error as Error).message}`
  }
}

/** Compiles the schema in the same way as those of the documented answers. */
function problemCheck(problemSchema: object): (value: unknown) => string | undefined {
  const responses = { 400: { content: { problem: { schema: problemSchema } } } }
  const [operation] = readOperations({ paths: { '/': { get: { responses } } }, components: { schemas: {} } })
  return operation!.answers.get(400)!.check
}

const textOf = (body: Buffer): string => body.toString('latin1')
