import type { TSchema } from 'typebox'
import { type ProblemCode, problemTable } from '../domain/problem.ts'
import { problemMediaType } from './problems.ts'
import type { RouteEntry, RouteTable } from './server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Problems that this route can answer in addition to those of every route of its kind. */
    problems?: readonly ProblemCode[]
    /** What an If-Match header names; undefined if the route ignores it. */
    ifMatch?: string
  }
  interface FastifySchema {
    summary?: string
    description?: string
    tags?: readonly string[]
  }
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly [member: string]: unknown
}

export interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> }
  readonly responses: Record<string, OpenApiResponse>
  readonly 'x-scope'?: string
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface OpenApiResponse {
  readonly description: string
  readonly content?: Record<string, { readonly schema: JsonSchema }>
}

export type JsonSchema = Record<string, unknown>

const description =
  'Compares cloud prices, and recommends sizes for containers, machines and clusters from their usage. ' +
  'Every endpoint except the operational ones needs an API key in the header X-API-KEY. ' +
  'CPU is in cores, memory in GiB, money in US dollars, time in UTC as RFC 3339.'

/**
 * Writes the OpenAPI 3.1 document from the schemas that validate requests. TypeBox makes JSON Schema, which OpenAPI 3.1
 * includes.
 */
export function describeApi(table: RouteTable, version: string): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const entry of table.entries) {
    const { tags } = entry.route.schema ?? {}
    if (entry.method === 'HEAD' || tags === undefined) continue
    const path = entry.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][entry.method.toLowerCase()] = describeOperation(entry, tags)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cheapside', version, description },
    servers: [{ url: '/' }],
    security: [{ ApiKey: [] }, { Bearer: [] }, { Session: [] }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
        Bearer: { type: 'http', scheme: 'bearer' },
        Session: { type: 'apiKey', in: 'cookie', name: 'cheapside-session' },
      },
      schemas: { Problem: problemSchema },
    },
  }
}

function describeOperation(entry: RouteEntry, tags: readonly string[]): Operation {
  const { schema = {}, config } = entry.route
  const scope = config!.scope!
  const parameters = [
    ...parametersOf(schema.params, 'path'),
    ...parametersOf(schema.querystring, 'query'),
    ...(config!.ifMatch === undefined ? [] : [ifMatchParameter(config!.ifMatch)]),
  ]
  return {
    tags,
    summary: schema.summary ?? entry.url,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(scope === 'none' ? { security: [] } : { 'x-scope': scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(schema.body === undefined ? {} : { requestBody: jsonContent(schema.body as JsonSchema) }),
    responses: {
      ...answersOf(schema.response, config!.produces ?? ['application/json']),
      ...problemAnswers(entry),
    },
  }
}

/** A member with a default is required in the parsed request, not of the caller. */
function parametersOf(schema: unknown, where: 'path' | 'query'): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description: text, ...rest } = property as unknown as JsonSchema & { description?: string }
    return {
      name,
      in: where,
      required: where === 'path' || (required.includes(name) && !('default' in property)),
      ...(text === undefined ? {} : { description: text }),
      schema: rest,
    }
  })
}

const ifMatchParameter = (what: string): Parameter => ({
  name: 'If-Match',
  in: 'header',
  required: false,
  description: `${what}. If it has changed meanwhile, nothing is changed and the response is 412. Without this header the change is always made.`,
  schema: { type: 'string' },
})

/**
 * Lists every media type of texts. Other forms of JSON are only for callers that accept them by name; listed here, they
 * would make the answer a union of types in generated clients.
 */
function answersOf(response: unknown, produces: readonly string[]): Record<string, OpenApiResponse> {
  const json = 'application/json'
  const mediaTypes = produces[0] === json ? [json] : produces.filter((type) => type !== json)
  const contentOf = (schema: JsonSchema) => Object.fromEntries(mediaTypes.map((type) => [type, { schema }]))
  return Object.fromEntries(
    Object.entries((response ?? {}) as Record<string, JsonSchema>).map(([status, schema]) => [
      status,
      {
        description:
          (schema.description as string | undefined) ?? (status.startsWith('2') ? 'Done.' : 'See the body.'),
        ...(schema.type === 'null' ? {} : { content: contentOf(schema) }),
      },
    ]),
  )
}

function problemAnswers({ route, method }: RouteEntry): Record<string, OpenApiResponse> {
  const { scope, problems = [], ifMatch } = route.config!
  const codes: ProblemCode[] = [
    'bad-request',
    'not-acceptable',
    'headers-too-large',
    ...problems,
    ...(ifMatch === undefined ? [] : (['precondition-failed'] as const)),
    'rate-limited',
  ]
  if (scope !== 'none')
    codes.push(
      'unauthenticated',
      ...(scope === 'any' ? [] : (['forbidden'] as const)),
      'starting',
      'draining',
      'store-unavailable',
      ...(method === 'GET' ? [] : (['forged-request'] as const)),
    )
  const { body, querystring, params } = route.schema ?? {}
  if (body === undefined && (querystring !== undefined || params !== undefined)) codes.push('invalid')
  // A body is read even if the route expects none, and the request is rejected if it cannot be read.
  if (body !== undefined || method !== 'GET')
    codes.push('not-json', 'invalid', 'body-too-large', 'unsupported-media-type', 'timeout', 'overloaded')
  const byStatus = Map.groupBy(new Set(codes), (code) => String(problemTable[code][0]))
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      status,
      {
        description: codesOfStatus.map((code) => `\`${code}\`: ${problemTable[code][2]}`).join('\n\n'),
        content: { [problemMediaType]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function jsonContent(schema: JsonSchema): NonNullable<Operation['requestBody']> & { required: boolean } {
  return { required: true, content: { 'application/json': { schema } } }
}

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The path of the request.' },
    code: {
      type: 'string',
      enum: Object.keys(problemTable),
      description: 'Stable identifier of the error, meant for programs.',
    },
    request_id: { type: 'string' },
    error: { type: 'string', description: 'The same as detail.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          pointer: {
            type: 'string',
            description: 'JSON pointer into the body, or ?name of a query parameter.',
          },
          message: { type: 'string' },
          detail: { type: 'string', description: 'The same as message.' },
        },
      },
    },
    current: {
      type: 'object',
      description: 'On 412 responses: what the request would have replaced, with its etag.',
    },
    nearest: { type: 'object', description: 'On some 404 responses: similar names that exist.' },
  },
}
