import { hostileJson, hostileNumber } from './hostile-values.ts'
import { type JsonNode, toJsonNode } from './json-node.ts'
import { type KnownOffer, type KnownValues, knownValue } from './known-values.ts'
import type { Schema } from './operations.ts'
import type { Random } from './random.ts'

/** How far a request departs from its schema. */
export type Mode = 'valid' | 'boundary' | 'confused' | 'hostile'

export interface Generation {
  readonly mode: Mode
  readonly random: Random
  readonly known: KnownValues
  /** The offer that the members of one request describe. */
  readonly offer: KnownOffer
}

const spoiledShare = 0.15

/** A value for a member of this name that follows its schema or, depending on the mode, violates it. */
export function generateJson(schema: Schema, name: string, how: Generation): JsonNode {
  const { mode, random } = how
  if (mode !== 'valid' && random.chance(spoiledShare)) {
    if (mode === 'hostile') return hostileJson(random)
    if (mode === 'confused') return otherType(schema, random)
    return boundaryValue(schema, random) ?? validJson(schema, name, how)
  }
  return validJson(schema, name, how)
}

function validJson(schema: Schema, name: string, how: Generation): JsonNode {
  const { random } = how
  if (schema.const !== undefined) return toJsonNode(schema.const)
  if (schema.enum !== undefined) return toJsonNode(random.pick(schema.enum))
  if (schema.anyOf !== undefined) return validJson(random.pick(schema.anyOf), name, how)
  if (schema.type === 'object') return objectJson(schema, how)
  if (schema.type === 'array') {
    const least = schema.minItems ?? 0
    const items = Array.from({ length: least + random.below(3) }, () =>
      generateJson(schema.items ?? {}, name, how),
    )
    return { items }
  }
  if (schema.type === 'boolean') return { raw: String(random.chance(0.5)) }
  if (schema.type === 'integer' || schema.type === 'number') return { raw: validNumber(schema, random) }
  return { raw: JSON.stringify(knownValue(how.known, name, how.offer, random) ?? plainText(schema, random)) }
}

function objectJson(schema: Schema, how: Generation): JsonNode {
  const { mode, random } = how
  const required = new Set(schema.required)
  const members: (readonly [string, JsonNode])[] = []
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const dropped = required.has(name) ? mode !== 'valid' && random.chance(0.03) : random.chance(0.6)
    if (!dropped) members.push([name, generateJson(member, name, how)])
    if (mode === 'hostile' && random.chance(0.02)) members.push([name, hostileJson(random)])
  }
  if (mode === 'hostile' && random.chance(0.05))
    members.push([random.pick(['__proto__', 'constructor', 'toString', '', 'a\u0000']), hostileJson(random)])
  if (schema.properties === undefined && random.chance(0.5)) members.push(['note', { raw: '"kept"' }])
  return { members }
}

function otherType(schema: Schema, random: Random): JsonNode {
  const values: Record<string, JsonNode> = {
    null: { raw: 'null' },
    boolean: { raw: 'false' },
    number: { raw: hostileNumber(random) },
    string: { raw: '"text"' },
    array: { items: [{ raw: '"text"' }, { raw: '1' }] },
    object: { members: [['a', { raw: '1' }]] },
  }
  const types = Object.keys(values).filter((type) => type !== schema.type)
  return values[random.pick(types)]!
}

/** Large lists are costly, so they are rare. */
const largeListShare = 0.02

function boundaryValue(schema: Schema, random: Random): JsonNode | undefined {
  const numbers = [schema.minimum, schema.exclusiveMinimum, schema.maximum].filter((n) => n !== undefined)
  if (numbers.length > 0) {
    const bound = random.pick(numbers)
    return { raw: String(bound + random.pick([-1, -1e-9, 0, 1e-9, 1])) }
  }
  const lengths = [schema.minLength, schema.maxLength].filter((n) => n !== undefined)
  if (lengths.length > 0) {
    const length = Math.max(0, random.pick(lengths) + random.pick([-1, 0, 1]))
    return { raw: JSON.stringify(random.pick(['a', 'é', '\u{1f4a9}']).repeat(length)) }
  }
  if (schema.type === 'array' && schema.maxItems !== undefined) {
    const isLarge = schema.maxItems > 100
    if (isLarge && !random.chance(largeListShare)) return { items: [] }
    const length = schema.maxItems + random.pick([-1, 0, 1])
    return { items: Array.from({ length }, () => leanJson(schema.items ?? {})) }
  }
  return schema.type === 'string' ? { raw: '""' } : undefined
}

/** A minimal valid value, always the same. */
function leanJson(schema: Schema): JsonNode {
  if (schema.type === 'object') {
    const required = schema.required ?? []
    return { members: required.map((name) => [name, leanJson(schema.properties?.[name] ?? {})] as const) }
  }
  if (schema.type === 'array') return { items: [] }
  return { raw: schema.type === 'string' ? '"lean"' : '1' }
}

function validNumber({ type, minimum, exclusiveMinimum, maximum }: Schema, random: Random): string {
  const least = minimum ?? exclusiveMinimum ?? 0
  const most = Math.min(maximum ?? 64, least + 64)
  const value = least + (0.01 + 0.99 * random.next()) * (most - least)
  return type === 'integer' ? String(Math.max(least, Math.floor(value))) : value.toFixed(3)
}

const words = ['alpha', 'Beta-2', 'gamma delta', 'ünï', '日本', 'x']

const plainText = ({ maxLength = 256 }: Schema, random: Random): string =>
  `${random.pick(words)}-${random.below(50)}`.slice(0, maxLength)
