import type { FastifySchemaCompiler, FastifyTypeProvider } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'
import type { FieldError } from '../../domain/problem.ts'
import type { View } from '../../domain/schema.ts'
import { escapePointer, findTextFault } from '../../domain/text.ts'

/** An answer that is written already. */
type Written = string | Buffer

export interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? View<this['schema']> | Written : unknown
}

const maxErrorsListed = 100
Settings.Set({ maxErrors: 1000 })

export class ValidationFailure extends Error {
  override readonly name = 'ValidationFailure'
  readonly errors: readonly FieldError[]

  constructor(message: string, errors: readonly FieldError[]) {
    super(message)
    this.errors = errors
  }
}

/**
 * Values of bodies are not converted: the text "4" is not a number there. Query parameters are text and are converted.
 * In both, every text is also checked by `findTextFault`, whatever its schema allows.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = (route) => validatorOf(route, findTextFault)

/** For documents that other programs wrote. They are not stored, so their texts may contain line breaks. */
export const compileDocumentValidator: FastifySchemaCompiler<TSchema> = (route) =>
  validatorOf(route, () => undefined)

function validatorOf(
  { schema, httpPart }: Parameters<FastifySchemaCompiler<TSchema>>[0],
  findFault: typeof findTextFault,
): ReturnType<FastifySchemaCompiler<TSchema>> {
  const compiled = Compile(schema)
  const [example] = (schema as { examples?: readonly string[] }).examples ?? []
  const inBody = httpPart === 'body'
  const where = inBody ? 'body' : httpPart === 'querystring' ? 'query' : 'path'
  return (given: unknown) => {
    const fault = findFault(given)
    if (fault !== undefined) {
      const pointer = inBody ? fault.pointer : `?${fault.pointer.slice(1)}`
      return {
        error: new ValidationFailure(`The ${where} is invalid.`, [{ pointer, message: fault.message }]),
      }
    }
    const value = inBody ? given : Value.Default(schema, Value.Convert(schema, Value.Clone(given)))
    if (compiled.Check(value)) return { value }
    const reduced = inBody ? withoutAbsent(schema, value) : value
    if (reduced !== value && compiled.Check(reduced)) return { value: reduced }
    const schemaErrors = ofNearestBranch(compiled.Errors(value) as unknown as readonly SchemaError[])
    const errors = schemaErrors.flatMap((error) => toFieldErrors(error, inBody))
    const unique = [...new Map(errors.map((error) => [`${error.pointer} ${error.message}`, error])).values()]
    const listed = unique.slice(0, maxErrorsListed)
    const more =
      unique.length > listed.length ? `; the first ${listed.length} of ${unique.length} are listed` : ''
    const isIncomplete = schemaErrors.some(({ keyword }) => keyword === 'required')
    const complete = isIncomplete && example !== undefined ? ` A complete one: ${example}` : ''
    return { error: new ValidationFailure(`The ${where} is invalid${more}.${complete}`, listed) }
  }
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Record<string, unknown>
  readonly message: string
}

/** Leaves out that a wrong value is not null either. */
function ofNearestBranch(errors: readonly SchemaError[]): readonly SchemaError[] {
  const isUnion = ({ keyword, params }: SchemaError) =>
    keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')
  const explained = errors.filter((error) => !isUnion(error)).map(({ instancePath }) => instancePath)
  return errors.filter(
    (error) => !isUnion(error) || !explained.some((path) => `${path}/`.startsWith(`${error.instancePath}/`)),
  )
}

function toFieldErrors(error: SchemaError, inBody: boolean): FieldError[] {
  const at = (member: string | undefined, message: string): FieldError => {
    const pointer =
      member === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(member)}`
    return { pointer: inBody ? pointer : `?${pointer.slice(1)}`, message }
  }
  if (error.keyword === 'required') {
    return (error.params.requiredProperties as string[]).map((member) => at(member, 'is required'))
  }
  if (error.keyword === 'additionalProperties') {
    return (error.params.additionalProperties as string[]).map((member) =>
      at(member, inBody ? 'is not a known member' : 'is not a known parameter'),
    )
  }
  if (error.keyword === 'enum') {
    return [at(undefined, `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`)]
  }
  // TypeBox reports the errors of each branch of a union, then one for the union. These errors of branches would only
  // confuse.
  if (error.keyword === 'const' || error.keyword === 'boolean') return []
  return [at(undefined, error.message)]
}

interface SchemaParts {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
}

/** Many clients send null for a member that is not set. */
function withoutAbsent(schema: TSchema, value: unknown): unknown {
  const { properties, required = [], items } = schema as SchemaParts
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => withoutAbsent(items, item))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const present = Object.entries(value).flatMap(([name, member]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined) return [[name, member] as const]
    const isAbsent = member === null && !required.includes(name) && !Value.Check(property, null)
    return isAbsent ? [] : [[name, withoutAbsent(property, member)] as const]
  })
  return Object.fromEntries(present)
}
