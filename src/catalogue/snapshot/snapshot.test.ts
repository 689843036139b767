import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BuildManifest } from '../../domain/manifest.ts'
import type { Offer } from '../../domain/offer.ts'
import { ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { Catalogue } from '../catalogue.ts'
import { anyNeed, anyOffer, anyRules, knownZones } from '../search/random-offers.case.ts'
import { readFirstAppearances } from './column-reader.ts'
import { decodeSnapshot, encodeSnapshot, formatVersion, SnapshotError } from './snapshot.ts'

const manifest: BuildManifest = { builtAt: '2026-11-01T00:00:00Z', exchange: null, providers: [] }
const sample = fc.sample(anyOffer, { numRuns: 40, seed: 7 })
const file = encodeSnapshot(sample, knownZones, manifest)

describe('a snapshot', () => {
  test('restores the offers, the zones and the manifest', () => {
    fc.assert(
      fc.property(fc.array(anyOffer, { maxLength: 60, size: 'max' }), fc.array(anyNeed), (offers, needs) => {
        const read = decodeSnapshot(encodeSnapshot(offers, knownZones, manifest))
        expect(read.zones).toEqual(knownZones)
        expect(read.manifest).toEqual(manifest)
        const before = Catalogue.from(offers, { id: '', zones: knownZones, ...anyRules })
        const after = new Catalogue(read.columns, { id: read.id, zones: read.zones, ...anyRules })
        expect(texts(after)).toEqual(texts(before))
        expect(texts(after).sort()).toEqual(offers.map(text).sort())
        for (const need of needs)
          expect(JSON.stringify(after.search(need))).toEqual(JSON.stringify(before.search(need)))
      }),
      { numRuns: 60 },
    )
  })

  test('is the same for the same offers, and its id differs with its content', () => {
    expect(encodeSnapshot(sample, knownZones, manifest)).toEqual(file)
    const other = encodeSnapshot(sample.slice(1), knownZones, manifest)
    expect(decodeSnapshot(other).id).not.toBe(decodeSnapshot(file).id)
    expect(decodeSnapshot(file).id).toMatch(/^[0-9a-f]{64}$/)
  })
})

test('a snapshot of format 1, which does not separate terms, is read', () => {
  const { columns } = decodeSnapshot(format1)
  const lines = [...new Catalogue(columns, { id: '', ...anyRules }).offers()].map(
    ({ instanceType, usageType, term, region, pricePerHourUsd, skuIds = [] }) =>
      [instanceType, usageType, term || '-', region, pricePerHourUsd, ...skuIds].join(' '),
  )
  expect(lines).toEqual([
    'm1 ONDEMAND - east 0.1 A',
    'm1 RESERVED - east 0.07',
    'm1 RESERVED 1y west 0.05 C',
    'm1 RESERVED 1y-savings-plan east 0.06 E',
    'm1 RESERVED 3y east 0.04 B',
    'm1 RESERVED 3y-convertible west 0.055 D D.1',
    'm1 SPOT_PREEMPTIBLE - east 0.03 F',
    'm2 RESERVED 1y east 0.09 B',
    'm2 RESERVED 3y east 0.08 G',
  ])
})

describe('is refused', () => {
  test('cut off at any byte', () => {
    check(Buffer.alloc(0), 'not-a-snapshot')
    for (let length = 1; length < file.length; length++) check(file.subarray(0, length), 'truncated')
  })

  test('with any byte altered', () => {
    for (let i = 0; i < file.length; i++) check(altered(file, i), undefined)
    check(altered(file, 100), 'altered')
    check(Buffer.concat([file, Buffer.from('x')]), 'altered')
  })

  test('of another kind, or of a newer format', () => {
    check(Buffer.from('PK\u0003\u0004 something else entirely'), 'not-a-snapshot')
    const newer = Buffer.from(file)
    newer.writeUInt32LE(formatVersion + 1, 8)
    check(newer, 'newer-format')
    check(signed(newer.subarray(0, -32)), 'newer-format')
  })

  test('if it unpacks to more than it declares, or to more than is allowed', () => {
    const bomb = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    })
    check(sealed(bomb, 1000), 'malformed')
    check(sealed(bomb, 0xffff_ffff), 'malformed')
  })

  test('or read as a valid catalogue, if forged with a correct digest', () => {
    const body = brotliDecompressSync(file.subarray(20, -32))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(body.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        fc.option(fc.nat(body.length)),
        (edits, length) => {
          const forged = Buffer.from(body.subarray(0, length ?? body.length))
          for (const [at, value] of edits) forged[at] = value
          readOrRefused(sealed(brotliCompressSync(forged, fast), forged.length))
        },
      ),
      { numRuns: 1500 },
    )
  })
})

const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }

function check(bytes: Buffer, code: SnapshotError['code'] | undefined): void {
  try {
    decodeSnapshot(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(SnapshotError)
    expect((error as Error).message).not.toContain('\n')
    if (code !== undefined) expect((error as SnapshotError).code).toBe(code)
    return
  }
  expect.unreachable('it was read')
}

function readOrRefused(bytes: Buffer): void {
  try {
    const { columns, id, zones } = decodeSnapshot(bytes)
    const catalogue = new Catalogue(columns, { id, zones })
    for (const offer of catalogue.offers()) expect(offer.pricePerHourUsd).toBeGreaterThanOrEqual(0)
  } catch (error) {
    expect(error).toBeInstanceOf(SnapshotError)
  }
}

function sealed(compressed: Buffer, bodyBytes: number): Buffer {
  const header = Buffer.from(file.subarray(0, 20))
  header.writeUInt32LE(bodyBytes, 12)
  header.writeUInt32LE(compressed.length, 16)
  return signed(Buffer.concat([header, compressed]))
}

const signed = (content: Buffer): Buffer =>
  Buffer.concat([content, createHash('sha256').update(content).digest()])

function altered(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 0x10
  return copy
}

const text = (offer: Offer): string =>
  JSON.stringify(Object.entries({ ...offer, skuIds: offer.skuIds ?? [] }).sort())
const texts = (catalogue: Catalogue): string[] => Array.from(catalogue.offers(), text)

/** Written by a release that had only format 1. */
const format1 = Buffer.from(
  [
    'Q0hFQVBDQVQBAAAAAgIAABQBAAAfAQIAjNRizZnOtLVmSY5QyM7qEitGBQjPwtoPnZGbXIJxmFBgoZx/KS5ueajvv0',
    '00EJToGJOy+mKQk/xiNdfJO2PrZsLl87m8vo7XG8e8y5yslMJOfcPHp3ljvcEPKYWEHWWcNAdTTq7XfjOYl58bTNvP',
    'Pw5HjVY26anRKaYqWQnI92H6PlzTu9pM9wsrqnWbPDfH1c0lP5ECuVACKIEfPIjvaHgUDgqT6yEc5DcBHRIdfE7Xj0',
    'D8ZHZYkEy8YGleoKMobZ+QEZgBAkBJAGMdCdD///yGKB6g3xsZVZygd4igDYCtg3kUOBQJDAQoYEzEkbWCvBARJU5W',
    'APA7HBAAKEh4JiVT6Uw2l0eOQ7cPgYIUovdY0TguLzqZJ5i6PcQLehpsgZAm7gLOsmnNuBhbRtMayQ==',
  ].join(''),
  'base64',
)

test('ids by first appearance: none, a new one, or one of those before', () => {
  const read = (...steps: number[]) => [
    ...readFirstAppearances(new ByteReader(Uint8Array.from(steps)), steps.length, 2),
  ]
  expect(read(0, 1, 1, 2, 3, 0)).toEqual([0, 1, 2, 2, 1, 0])
  expect(() => read(1, 3), 'a step before the first').toThrow(MalformedBytes)
  expect(() => read(1, 1, 1), 'more than there are texts').toThrow('holds more ids than texts')
})
