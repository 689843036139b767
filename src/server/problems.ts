import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FieldError, Problem, type ProblemCode, problemTable } from '../domain/problem.ts'
import { StoreUnavailable } from '../store/port.ts'
import type { Log } from './log.ts'
import { ValidationFailure } from './requests/validation.ts'

export const problemMediaType = 'application/problem+json'
const retrySoonSeconds = 1

/** Converts anything that was thrown to a problem. If `unexpected` is set, only the operator may see the original error. */
export function toProblem(error: unknown): { problem: Problem; unexpected: boolean } {
  const expected = (problem: Problem) => ({ problem, unexpected: false })
  if (error instanceof Problem) return expected(error)
  if (error instanceof ValidationFailure) {
    return expected(new Problem('invalid', error.message, { errors: error.errors }))
  }
  if (error instanceof StoreUnavailable) {
    const problem = new Problem(
      'store-unavailable',
      'The database cannot be reached or accepts no writes at the moment. Nothing was changed.',
      {
        retryAfterSeconds: retrySoonSeconds,
        cause: error,
      },
    )
    return { problem, unexpected: true }
  }
  const fromFastify = fastifyErrors[(error as { code?: string }).code ?? '']
  if (fromFastify !== undefined) return expected(new Problem(...fromFastify))
  const status = (error as { statusCode?: number }).statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    return expected(new Problem('bad-request', (error as Error).message))
  }
  const problem = new Problem(
    'internal',
    'An unexpected error occurred. Search the log for the request id.',
    { cause: error },
  )
  return { problem, unexpected: true }
}

const fastifyErrors: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported-media-type',
    'Send the body as Content-Type: application/json.',
  ],
}

/** The members of RFC 9457 and our own, in the order in which one reads them. */
function problemBody(problem: Problem, instance: string, requestId: string): Record<string, unknown> {
  return {
    type: `urn:cheapside:problem:${problem.code}`,
    title: problemTable[problem.code][1],
    status: problem.status,
    detail: problem.message,
    instance,
    code: problem.code,
    request_id: requestId,
    error: problem.message,
    ...(problem.errors === undefined ? {} : { errors: problem.errors.map(fieldError) }),
    ...problem.extra,
  }
}

/** Some clients read `error` instead of the `detail` of RFC 9457, and the `detail` of a field instead of our `message`. */
const fieldError = ({ pointer, message }: FieldError) => ({ pointer, message, detail: message })

/** Sends a problem to the caller, and logs the error for the operator if it was unexpected. */
export function answerProblem(
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { problem, unexpected } = toProblem(error)
  if (unexpected) {
    log.error({ err: problem.cause ?? problem, code: problem.code, reqId: request.id }, 'request failed')
  }
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds))
  if (problem.code === 'unauthenticated') reply.header('www-authenticate', 'ApiKey realm="cheapside"')
  // Sent as bytes, because Fastify adds a charset to JSON text, and this media type has no such parameter.
  return reply
    .code(problem.status)
    .header('x-request-id', request.id)
    .header('content-type', problemMediaType)
    .send(Buffer.from(JSON.stringify(problemBody(problem, request.url.split('?')[0]!, request.id))))
}

/** The problem for bytes that could not be parsed as a request. */
export function brokenMessageProblem({ code }: { code?: string }): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers-too-large', 'The header fields are larger than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('timeout', 'The request did not arrive completely within the time limit.')
  return new Problem('bad-request', 'The message is not valid HTTP.')
}

/** A problem as a complete HTTP message, for connections on which there is no request to answer. */
export function rawAnswer(problem: Problem): string {
  const { instance: _, request_id: __, ...members } = problemBody(problem, '', '')
  const body = JSON.stringify(members)
  const retry = problem.retryAfterSeconds === undefined ? '' : `Retry-After: ${problem.retryAfterSeconds}\r\n`
  return (
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: ${problemMediaType}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n${retry}Connection: close\r\n\r\n${body}`
  )
}
