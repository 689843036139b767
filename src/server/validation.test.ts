import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { compileValidator, type ValidationFailure } from './requests/validation.ts'

type Part = 'body' | 'querystring' | 'params'

function check(
  schema: TSchema,
  httpPart: Part,
  given: unknown,
): { value?: unknown; error?: ValidationFailure } {
  const validate = compileValidator({ schema, httpPart, method: 'GET', url: '/' })
  return validate(given) as { value?: unknown; error?: ValidationFailure }
}

const schema = Type.Object(
  {
    size: Type.Integer({ minimum: 1 }),
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    'a/b': Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

test('query parameters are converted and completed, bodies are not changed', () => {
  const query = Type.Object({ limit: Type.Integer({ default: 7 }), all: Type.Optional(Type.Boolean()) })
  expect(check(query, 'querystring', { all: 'true' })).toEqual({ value: { limit: 7, all: true } })
  expect(check(query, 'querystring', { limit: '3' })).toEqual({ value: { limit: 3 } })
  const body = { limit: 3 }
  expect(check(query, 'body', body).value).toBe(body)
  expect(check(query, 'body', { limit: '3' }).error?.errors).toMatchObject([{ pointer: '/limit' }])
})

test.each<[Part, unknown, string, [string, string][]]>([
  ['body', {}, 'The body is invalid.', [['/size', 'is required']]],
  ['querystring', {}, 'The query is invalid.', [['?size', 'is required']]],
  ['params', { size: 'x' }, 'The path is invalid.', [['?size', 'must be integer']]],
  ['body', { size: 1, more: 1 }, 'The body is invalid.', [['/more', 'is not a known member']]],
  ['body', { size: 1, kind: 'c' }, 'The body is invalid.', [['/kind', 'must be one of a, b']]],
  ['body', { size: 1, 'a/b': 4 }, 'The body is invalid.', [['/a~1b', 'must be boolean']]],
  ['body', { size: 0 }, 'The body is invalid.', [['/size', 'must be >= 1']]],
])('%s %j', (part, given, message, errors) => {
  const { error } = check(schema, part, given)
  expect(error?.message).toBe(message)
  expect(error?.errors.map((one) => [one.pointer, one.message])).toEqual(errors)
})

test('text that cannot be stored is refused wherever it occurs', () => {
  const text = Type.Object({ name: Type.String() })
  for (const [part, pointer] of [
    ['body', '/name'],
    ['querystring', '?name'],
  ] as const) {
    const { error } = check(text, part, { name: 'a\0b' })
    expect(error?.errors).toEqual([{ pointer, message: expect.any(String) }])
  }
})

test('at most a hundred faults are listed', () => {
  const list = Type.Array(Type.Number())
  expect(check(list, 'body', Array(100).fill('x')).error).toMatchObject({
    message: 'The body is invalid.',
    errors: { length: 100 },
  })
  expect(check(list, 'body', Array(150).fill('x')).error).toMatchObject({
    message: 'The body is invalid; the first 100 of 150 are listed.',
    errors: { length: 100 },
  })
})
