import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeService, documentFile, typesFile } from '../../web/api/generate.ts'
import { schemaTypes, typeOf } from '../../web/api/schema-types.ts'

test('docs/openapi.json and the types of the console are those of the service; else run node web/api/generate.ts', async () => {
  const { document, types } = await describeService()
  expect(readFileSync(documentFile, 'utf8')).toBe(document)
  expect(readFileSync(typesFile, 'utf8')).toBe(types)
})

test.each<[object, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'array', items: { type: 'number' } }, '(number)[]'],
  [{ enum: ['a', 1] }, '"a" | 1'],
  [{ const: 'x' }, '"x"'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, '(string) | (null)'],
  [{ allOf: [{ $ref: '#/components/schemas/Problem' }] }, '(Problem)'],
  [
    { type: 'object', required: ['a'], properties: { a: { type: 'boolean' }, 'b-c': {} } },
    '{a: boolean\n"b-c"?: unknown}',
  ],
  [{ type: 'object', patternProperties: { '^.*$': { type: 'number' } } }, 'Record<string, number>'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
  [{ type: 'object' }, 'Record<string, unknown>'],
])('%j', (schema, type) => {
  expect(typeOf(schema as never)).toBe(type)
})

test('parameters with a default need not be given', () => {
  const parameter = (name: string, schema: object, required = true) => ({
    name,
    in: 'query',
    required,
    schema,
  })
  const operation = {
    tags: [],
    summary: '',
    parameters: [parameter('a', { type: 'integer', default: 1 }), parameter('b', { type: 'string' })],
    responses: { 204: { description: '' } },
  }
  const text = schemaTypes({
    openapi: '',
    info: {} as never,
    paths: { '/x/{y}': { get: operation as never } },
  })
  expect(text).toContain('query: {a?: number\nb: string}')
  expect(text).toContain('204: { content: never }')
})
