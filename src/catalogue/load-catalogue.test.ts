import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Provider } from '../domain/provider.ts'
import { CatalogueFileError, catalogueRules, readSnapshot } from './load-catalogue.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-catalogue-'))
afterAll(() => rmSync(directory, { recursive: true }))

const provider = (key: string, more: Partial<Provider> = {}): Provider => ({
  key,
  displayName: key,
  service: 'compute',
  aliases: [],
  serviceAliases: [],
  onByDefault: true,
  isZoneInRegion: (zone, region) => zone.startsWith(region),
  familyOf: () => '',
  burstableBaselineOf: () => null,
  ...more,
})

test('zones are what their provider declares, and nothing where it declares none', () => {
  const rules = catalogueRules([
    provider('plain'),
    provider('local', { isLocalZone: (zone) => zone === 'lax' }),
  ])
  const { isZoneInRegion, isLocalZone } = rules as Required<typeof rules>
  expect([isZoneInRegion('plain', 'east-a', 'east'), isZoneInRegion('plain', 'east-a', 'west')]).toEqual([
    true,
    false,
  ])
  expect(isZoneInRegion('unknown', 'east-a', 'east')).toBe(false)
  expect([isLocalZone('local', 'lax'), isLocalZone('local', 'a'), isLocalZone('plain', 'lax')]).toEqual([
    true,
    false,
    false,
  ])
  expect(isLocalZone('unknown', 'lax')).toBe(false)
})

test('an unusable file gives a one-line error with its name', async () => {
  const missing = join(directory, 'missing')
  await expect(readSnapshot(missing)).rejects.toThrow(
    new CatalogueFileError(`The catalogue ${missing} cannot be used: there is no such file`),
  )
  const broken = join(directory, 'broken')
  writeFileSync(broken, 'not a catalogue')
  await expect(readSnapshot(broken)).rejects.toThrow(CatalogueFileError)
  await expect(readSnapshot(broken)).rejects.not.toThrow('no such file')
})
