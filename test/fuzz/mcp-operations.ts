import type { RunningService } from '../service.ts'
import type { Operation, Schema } from './operations.ts'

const accept = 'application/json, text/event-stream'
const internalError = -32603
/** Any other JSON-RPC message: methods of the protocol with params of any type. */
const methods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'prompts/get'],
  ...['resources/templates/list', 'logging/setLevel', 'completion/complete', '__proto__'],
]

/** Calls of the tools for assistants, which describe themselves, and other messages of their protocol. */
export async function readMcpOperations(service: RunningService, key: string): Promise<Operation[]> {
  const { text } = await service.request('/mcp', {
    key,
    headers: { accept },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  const { tools } = messageIn(text).result as { tools: { name: string; inputSchema: Schema }[] }
  const other = message({ enum: methods }, { type: 'object', properties: { name: {}, uri: {}, cursor: {} } })
  return [
    ...tools.map(({ name, inputSchema }) =>
      message({ const: 'tools/call' }, objectOf({ name: { const: name }, arguments: inputSchema })),
    ),
    other,
  ].map((body) => ({
    method: 'POST',
    path: '/mcp',
    accept,
    parameters: [],
    body,
    scope: 'gateway:read',
    answers,
  }))
}

const objectOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

const message = (method: Schema, params: Schema): Schema =>
  objectOf({ jsonrpc: { const: '2.0' }, id: { type: 'integer' }, method, params })

interface Message {
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] }
  readonly error?: { readonly code: number }
}

/** The message of an answer, which is JSON or the only event of a stream. */
const messageIn = (text: string): Message =>
  JSON.parse(text.startsWith('{') ? text : (/^data: ?(.*)$/m.exec(text)?.[1] ?? '{}'))

/** Describes how an answer shows that a message failed inside the service; undefined if it does not. */
export function mcpFailure(text: string): string | undefined {
  if (text === '') return undefined
  const { result, error } = messageIn(text)
  if (error?.code === internalError) return `internal error: ${JSON.stringify(error)}`
  const isFailure = result?.isError && result.content?.[0]?.text.includes('The service failed')
  return isFailure ? 'a tool failed' : undefined
}

const statuses = [200, 202, 400, 401, 403, 404, 405, 406, 408, 411, 413, 415, 417, 422, 429, 431, 503]
const answers: Operation['answers'] = new Map(
  statuses.map((status) => [status, { mediaTypes: [], check: () => undefined }]),
)
