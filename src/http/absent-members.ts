import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

interface SchemaParts {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
}

/** The value without optional members that are null and may not be: many clients send those that are not set so. */
export function withoutAbsent(schema: TSchema, value: unknown): unknown {
  const { properties, required = [], items } = schema as SchemaParts
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => withoutAbsent(items, item))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const told = Object.entries(value).flatMap(([name, member]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined) return [[name, member] as const]
    const isAbsent = member === null && !required.includes(name) && !Value.Check(property, null)
    return isAbsent ? [] : [[name, withoutAbsent(property, member)] as const]
  })
  return Object.fromEntries(told)
}
