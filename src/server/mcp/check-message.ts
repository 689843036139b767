import { isSpecType, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** Requests whose parameters the protocol library reports as internal errors if they are wrong. */
const isRequest: ReadonlyMap<string, (message: unknown) => boolean> = new Map<
  string,
  (message: unknown) => boolean
>([
  ['initialize', isSpecType.InitializeRequest],
  ['tools/list', isSpecType.ListToolsRequest],
  ['resources/list', isSpecType.ListResourcesRequest],
  ['resources/templates/list', isSpecType.ListResourceTemplatesRequest],
  ['resources/read', isSpecType.ReadResourceRequest],
])

/**
 * Returns the answer to a request that the protocol library would answer wrongly: parameters of another type as an
 * internal error, and names that every object has (`__proto__`) as those of disabled tools.
 */
export function refusalOf(message: unknown, toolNames: ReadonlySet<string>): Response | undefined {
  if (!isSpecType.JSONRPCRequest(message)) return undefined
  const { id, method, params } = message
  if (isRequest.get(method)?.(message) === false) return refusal(id, `The params of ${method} are invalid.`)
  const name = method === 'tools/call' ? params?.name : undefined
  if (typeof name !== 'string' || toolNames.has(name)) return undefined
  return refusal(id, `There is no tool named ${JSON.stringify(name)}.`)
}

const refusal = (id: string | number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message } })
