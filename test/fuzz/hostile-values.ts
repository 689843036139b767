import { type JsonNode, toJsonNode } from './json-node.ts'
import type { Random } from './random.ts'

/** Texts that broke other programs. They are functions because some are long. */
const texts: readonly (() => string)[] = [
  () => '',
  () => ' ',
  () => '\ud800',
  () => 'a\udfff',
  () => '\u0000',
  () => 'a\u0000b',
  () => '\u202egnp.exe',
  () => '\ufeff',
  () => '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  () => 'e\u0301'.repeat(100),
  () => 'İıſK',
  () => '\r\nset-cookie: a=b',
  () => '\u001b[31mred',
  () => '\u2028\u2029\u0085',
  () => '__proto__',
  () => 'constructor',
  () => 'toString',
  () => 'hasOwnProperty',
  () => 'base',
  () => '%00',
  () => '%',
  () => '../../etc/passwd',
  () => "'; DROP TABLE keys; --",
  () => '%_\\',
  () => '\\',
  () => '"',
  () => '<script>alert(1)</script>',
  () => '`$(id)`',
  () => '{{7*7}}',
  () => '(a+)+$',
  () => 'NaN',
  () => 'Infinity',
  () => '-0',
  () => '1e309',
  () => '0x10',
  () => '9007199254740993',
  () => '9'.repeat(400),
  () => 'null',
  () => 'true',
  () => 'a'.repeat(64),
  () => 'a'.repeat(255),
  () => 'a'.repeat(257),
  () => 'é'.repeat(256),
  () => '\u{1f4a9}'.repeat(256),
  () => 'a'.repeat(1025),
  () => 'a'.repeat(8_150),
  () => 'x'.repeat(100_000),
  () => '\u{10ffff}'.repeat(25_000),
]

export const oddDates: readonly string[] = [
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '+275760-09-13T00:00:00Z',
  '+999999-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+14:00',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01t00:00:00z',
  '2026-01-01T00:00:00.123456789012345678Z',
  '1767225600',
  'now',
  'Thu, 01 Jan 1970 00:00:00 GMT',
]

const numbers: readonly string[] = [
  '0',
  '-0',
  '-1',
  '1e308',
  '-1e308',
  '1e309',
  '5e-324',
  '1e-400',
  '0.1',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '99999999999999999999999999',
  '1.7976931348623157e308',
  '0.000001',
  '1e6',
  '1000000.0000001',
]

const searchIndexes: readonly (() => JsonNode)[] = [
  () => ({ raw: 'null' }),
  () => ({ raw: 'true' }),
  () => ({ items: [] }),
  () => ({ members: [] }),
  () => ({ items: [{ items: [{ raw: 'null' }] }] }),
  () => toJsonNode({ toString: null }),
  () => toJsonNode({ toString: null, valueOf: null }),
  () => toJsonNode({ toJSON: 1, length: -1 }),
  () => toJsonNode({ valueOf: 'x', constructor: 1 }),
  () => ({ members: [['__proto__', toJsonNode({ admin: true })]] }),
  () => ({ members: [['constructor', toJsonNode({ prototype: {} })]] }),
  () => ({ raw: '['.repeat(20_000) + ']'.repeat(20_000) }),
  () => ({ raw: `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}` }),
  () => ({ items: Array.from({ length: 1_001 }, () => ({ raw: '"a"' })) }),
  () => ({ members: Array.from({ length: 2_000 }, (_, index) => [`m${index}`, { raw: '1' }] as const) }),
]

export const hostileText = (random: Random): string => random.pick(texts)()

export const hostileNumber = (random: Random): string => random.pick(numbers)

export function hostileJson(random: Random): JsonNode {
  const kind = random.below(20)
  if (kind < 10) return { raw: JSON.stringify(hostileText(random)) }
  if (kind < 13) return { raw: hostileNumber(random) }
  if (kind < 14) return { raw: JSON.stringify(random.pick(oddDates)) }
  return random.pick(searchIndexes)()
}
