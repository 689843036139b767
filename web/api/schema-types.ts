import type { JsonSchema, OpenApiDocument, Operation, Parameter } from '../../src/server/openapi.ts'

/** Writes the API document as TypeScript: `paths` as openapi-fetch expects it, and one type for each component. */
export function schemaTypes(api: OpenApiDocument): string {
  const { schemas = {} } = (api.components ?? {}) as { schemas?: Record<string, JsonSchema> }
  const components = Object.entries(schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}`,
  )
  const paths = Object.entries(api.paths).map(
    ([path, methods]) =>
      `${key(path)}: {${Object.entries(methods)
        .map(([method, operation]) => `${method}: ${operationType(operation)}`)
        .join('\n')}}`,
  )
  return `// Made by web/api/generate.ts from docs/openapi.json.\n\n${components.join('\n\n')}\n\nexport interface paths {\n${paths.join('\n')}\n}\n`
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const body =
    requestBody === undefined ? '' : `requestBody: { content: ${contentType(requestBody.content)} }\n`
  const answers = Object.entries(responses).map(
    ([status, { content }]) =>
      `${status}: { content: ${content === undefined ? 'never' : contentType(content)} }`,
  )
  const where = (place: 'query' | 'path') => parameters.filter((parameter) => parameter.in === place)
  return `{
parameters: {${parametersType('query', where('query')) || 'query?: never\n'}${parametersType('path', where('path'))}}
${body}responses: {${answers.join('\n')}}
}`
}

function parametersType(name: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  // A parameter with a default is filled in by the service.
  const needed = (parameter: Parameter) => parameter.required && parameter.schema.default === undefined
  const members = parameters.map(
    (parameter) => `${key(parameter.name)}${needed(parameter) ? '' : '?'}: ${typeOf(parameter.schema)}`,
  )
  return `${name}${parameters.some(needed) ? '' : '?'}: {${members.join('\n')}}\n`
}

function contentType(content: Record<string, { readonly schema: JsonSchema }>): string {
  const types = Object.entries(content).map(([media, { schema }]) => `${key(media)}: ${typeOf(schema)}`)
  return `{ ${types.join('\n')} }`
}

export function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const union = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (union !== undefined) return union.map((each) => `(${typeOf(each)})`).join(' | ')
  if (schema.allOf !== undefined) {
    return (schema.allOf as JsonSchema[]).map((each) => `(${typeOf(each)})`).join(' & ')
  }
  if (schema.type === 'array') return `(${typeOf((schema.items as JsonSchema | undefined) ?? {})})[]`
  if (schema.type === 'object') return objectType(schema)
  const plain = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }
  return plain[schema.type as keyof typeof plain] ?? 'unknown'
}

function objectType(schema: JsonSchema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = new Set(schema.required as string[] | undefined)
  if (properties.length > 0) {
    return `{${properties
      .map(([name, property]) => `${key(name)}${required.has(name) ? '' : '?'}: ${typeOf(property)}`)
      .join('\n')}}`
  }
  const patterns = Object.values((schema.patternProperties ?? {}) as Record<string, JsonSchema>)
  const others = schema.additionalProperties
  const value = patterns[0] ?? (typeof others === 'object' ? (others as JsonSchema) : undefined)
  return `Record<string, ${value === undefined ? 'unknown' : typeOf(value)}>`
}

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
