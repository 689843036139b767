import type { KeyRecord } from '../../domain/key.ts'
import type { MarketplaceEntry, RegisteredEntry } from '../../domain/marketplace.ts'

export function exampleKey(id: string, more: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id,
    organisation: 'acme',
    name: `key ${id}`,
    scopes: ['pricing:read', 'admin'],
    secretHash: 'ab'.repeat(32),
    createdAt: 1_700_000_000_000,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
    ...more,
  }
}

export function exampleEntry(instanceType: string, more: Partial<MarketplaceEntry> = {}): MarketplaceEntry {
  return {
    provider: 'cellar',
    service: 'compute',
    region: 'north',
    zone: '',
    instanceType,
    operatingSystem: 'Linux',
    usageType: 'ONDEMAND',
    pricePerHourUsd: 0.1,
    vcpus: 2,
    ramGib: 4,
    rawJson: '{}',
    ...more,
  }
}

/** Returns what the caller registered, without the members that the store adds. */
export function sentEntry({ id: _, createdAt, updatedAt, ...entry }: RegisteredEntry): MarketplaceEntry {
  return entry
}

/** Names that careless queries, objects or file names cannot handle. */
export const oddNames: readonly string[] = [
  '',
  ' ',
  '__proto__',
  'constructor',
  `it's "quoted" \\ and; DROP TABLE api_keys; --`,
  '%_?$1:a@b',
  'null',
  'Zürich',
  'zürich',
  'Zu\u0308rich',
  '東京',
  '\u{1F9C0}',
  '\uFB00',
  'line\nbreak\ttab',
  'x'.repeat(400),
]

export const unstorableTexts: readonly string[] = ['\0', 'a\0b', '\uD800', 'x\uDC00']
