import {
  type CallToolResult,
  fromJsonSchema,
  isSpecType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type McpServer,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { Static, TObject } from 'typebox'
import type { CostsAnswerDeps } from '../../costs/report/costs-answer.ts'
import type { Scope } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import { findTextFault } from '../../domain/text.ts'
import type { Clock } from '../../domain/time.ts'
import type { PricingDeps } from '../../pricing/market.ts'
import type { SizesDeps } from '../../recommendations/containers/size-namespaces.ts'
import type { RecommendationListDeps } from '../../recommendations/list/list-recommendations.ts'
import { toProblem } from '../problems.ts'
import { compileDocumentValidator, type ValidationFailure } from '../requests/validation.ts'

export interface ToolDeps {
  readonly pricing: PricingDeps
  readonly now: Clock
  /** Reads usage history. Throws a problem if there is none. */
  usage<Result>(use: (deps: UsageDeps) => Promise<Result>): Promise<Result>
  /** Reads recommendations. Throws a problem if there is no usage history. */
  recommendations<Result>(use: (deps: RecommendationListDeps) => Promise<Result>): Promise<Result>
}

type UsageDeps = SizesDeps & CostsAnswerDeps

/** Sends a JSON-RPC message to a running service. Resolves to the unparsed answer. */
export type AskService = (message: object) => Promise<string>

/** The caller of a tool. On standard input and output, the user of this machine has all scopes. */
export interface ToolCaller {
  readonly organisation: string
  readonly scopes: readonly Scope[]
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

/** A tool that a model can call. Tools only read. */
export interface Tool<Input extends TObject = TObject, Output extends TObject = TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Scope that the key needs in addition to that of the endpoint. */
  readonly scope?: Scope
  readonly input: Input
  readonly output: Output
  /** The signal fires when the caller has gone, or has waited for too long. */
  answer(deps: ToolDeps, organisation: string, asked: Static<Input>, signal: AbortSignal): Promise<ToolAnswer>
}

interface ToolAnswer {
  readonly structured: object
  /** A few lines for a model to read. */
  readonly text: string
}

/** Declares a tool, so that the types of its schemas apply to its `answer`. */
export const tool = <Input extends TObject, Output extends TObject>(declared: Tool<Input, Output>): Tool =>
  declared as unknown as Tool

const maxMs = 120_000

/** Prepares the schemas once, because a server is created for each request. */
export function registrar(tools: readonly Tool[]) {
  const prepared = tools.map((each) => ({
    each,
    inputSchema: fromJsonSchema<Record<string, unknown>>(
      { ...jsonSchema(each.input), additionalProperties: false },
      compiledOnce,
    ),
    outputSchema: fromJsonSchema<Record<string, unknown>>(jsonSchema(each.output), trusted),
  }))
  return (
    server: McpServer,
    deps: ToolDeps,
    { organisation, scopes, signal: gone }: ToolCaller,
    onError: (error: unknown) => void,
    askService?: AskService,
  ): void => {
    for (const { each, inputSchema, outputSchema } of prepared) {
      const { name, title, description } = each
      const annotations = { title, readOnlyHint: true, destructiveHint: false, openWorldHint: false }
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema, annotations },
        async (asked: Record<string, unknown>, { mcpReq }) => {
          const late = AbortSignal.timeout(maxMs)
          const signal = AbortSignal.any([mcpReq.signal, late, ...(gone === undefined ? [] : [gone])])
          try {
            signal.throwIfAborted()
            // A plan is not stored, so it may contain line breaks.
            const fault = findTextFault({ ...asked, plan: undefined })
            if (fault !== undefined) throw new Problem('invalid', `${fault.pointer} ${fault.message}.`)
            if (askService !== undefined) return await callOnService(askService, name, asked)
            if (each.scope !== undefined && !scopes.includes(each.scope))
              throw new Problem('forbidden', `This key lacks the scope ${each.scope}.`)
            const { structured, text } = await each.answer(deps, organisation, asked, signal)
            return {
              content: [{ type: 'text', text }],
              structuredContent: structured as Record<string, unknown>,
            }
          } catch (error) {
            const { problem, unexpected } = toProblem(error)
            if (unexpected && !signal.aborted) onError(error)
            const text =
              problem.code !== 'internal'
                ? problemText(problem)
                : late.aborted
                  ? `This takes more than ${maxMs / 1000} seconds; ask for less.`
                  : 'The service failed; try again later.'
            return { isError: true, content: [{ type: 'text', text }] }
          }
        },
      )
    }
  }
}

/** Checks arguments like the body of a request. Compiles a schema when it is first used, because that takes milliseconds. */
const compiledOnce: jsonSchemaValidator = {
  getValidator<Value>(schema: object): JsonSchemaValidator<Value> {
    let check: ReturnType<typeof compileDocumentValidator> | undefined
    return (given) => {
      check ??= compileDocumentValidator({ schema, method: 'POST', url: '/mcp', httpPart: 'body' })
      const { value, error } = check(given) as { value?: Value; error?: ValidationFailure }
      if (error === undefined) return { valid: true, data: value as Value, errorMessage: undefined }
      const errorMessage = error.errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
      return { valid: false, data: undefined, errorMessage }
    }
  },
}

/** What a tool answers has the type of its schema. */
const trusted: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (given) => ({ valid: true, data: given as Value, errorMessage: undefined })
  },
}

/** Removes what TypeBox adds to a schema that is not JSON. */
const jsonSchema = (schema: TObject) => JSON.parse(JSON.stringify(schema))

function problemText({ message, errors = [], extra }: Problem): string {
  const faults = errors.map(({ pointer, message: what }) => `${pointer} ${what}`)
  const nearest = extra?.nearest === undefined ? [] : [`Nearest: ${JSON.stringify(extra.nearest)}`]
  return [message, ...faults, ...nearest].join('\n')
}

async function callOnService(ask: AskService, name: string, asked: Record<string, unknown>) {
  const text = await ask({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: asked },
  })
  // The answer is one message, either as JSON or as the only event of a stream.
  const json = text.startsWith('{') ? text : (/^data: ?(.*)$/m.exec(text)?.[1] ?? '{}')
  const { result, error } = JSON.parse(json) as { result?: CallToolResult; error?: { message: string } }
  if (result !== undefined) return result
  throw new Problem('bad-request', error?.message ?? 'The service returned no result.')
}

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

/** The protocol library answers parameters of another type as an internal error, and `__proto__` as a disabled tool. */
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
