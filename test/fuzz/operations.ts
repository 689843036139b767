import { Compile } from 'typebox/schema'

/** The part of JSON Schema that the service's document uses. */
export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

/** An operation of the OpenAPI document, with its documented answers. */
export interface Operation {
  readonly method: string
  /** The path, with its parameters as {name}. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** Sent as the header Accept. */
  readonly accept?: string
  readonly scope: string
  readonly answers: ReadonlyMap<number, DocumentedAnswer>
}

export interface DocumentedAnswer {
  /** Empty if the answer has no body. */
  readonly mediaTypes: readonly string[]
  /** Describes how a value violates the schema; undefined if it does not. */
  check(value: unknown): string | undefined
}

interface RawOperation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema?: object }> }>
  'x-scope'?: string
}

interface ApiDocument {
  readonly paths: Record<string, Record<string, RawOperation>>
  readonly components: { readonly schemas: Record<string, object> }
}

export function readOperations(document: ApiDocument): Operation[] {
  const compiled = new Map<string, DocumentedAnswer['check']>()
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: string }
    if (typeof $ref === 'string') return resolve(document.components.schemas[$ref.split('/').at(-1)!])
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]))
  }
  const checkOf = (schema: object | undefined): DocumentedAnswer['check'] => {
    if (schema === undefined) return () => undefined
    const text = JSON.stringify(schema)
    const known = compiled.get(text) ?? compileCheck(resolve(schema) as object)
    compiled.set(text, known)
    return known
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      method: method.toUpperCase(),
      path,
      parameters: raw.parameters ?? [],
      body: raw.requestBody?.content['application/json']?.schema,
      scope: raw['x-scope'] ?? 'none',
      answers: new Map(
        Object.entries(raw.responses).map(([status, { content = {} }]) => [
          Number(status),
          {
            mediaTypes: Object.keys(content),
            check: checkOf(Object.values(content)[0]?.schema),
          },
        ]),
      ),
    })),
  )
}

function compileCheck(schema: object): DocumentedAnswer['check'] {
  const validator = Compile(schema)
  return (value) => {
    if (validator.Check(value)) return undefined
    const [, errors] = validator.Errors(value)
    const first = errors[0]
    return first === undefined ? 'does not fit' : `${first.instancePath || '/'} ${first.message}`
  }
}
