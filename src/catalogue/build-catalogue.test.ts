import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { row, writeFacts } from '../providers/facts/fixture.case.ts'
import { buildCatalogue } from './build-catalogue.ts'
import { decodeSnapshot } from './snapshot/snapshot.ts'

const builtAt = '2026-11-15T00:00:00Z'
const rows = [
  row('aws', 'us-east-1', 'm5.xlarge', 0.192),
  row('gcp', 'us-central1', 'n2-standard-4', 0.194236),
  row('digitalocean', 'global', 's-4vcpu-8gb', 0.07143),
]

test('the snapshot holds the offers, zones and manifest of the facts', async () => {
  const directory = await writeFacts(rows)
  const file = join(directory, 'new', 'catalogue.bin')
  const built = await buildCatalogue(directory, file, { builtAt })
  const snapshot = decodeSnapshot(await readFile(file))
  expect(snapshot).toMatchObject({ id: built.id, manifest: built.manifest })
  expect(snapshot.columns.count).toBe(4)
  expect([...snapshot.columns.offers.price].sort()).toEqual([0.07143, 0.07143, 0.192, 0.194236])
  expect(snapshot.zones).toEqual([{ provider: 'gcp', region: 'us-central1', zone: 'us-central1-a' }])
  expect(built.bytes).toBe((await readFile(file)).length)
})

test('the same facts give the same bytes, and an older file is replaced', async () => {
  const directory = await writeFacts(rows)
  const file = join(directory, 'catalogue.bin')
  await writeFile(file, 'older')
  const first = await buildCatalogue(directory, file, { builtAt })
  const bytes = await readFile(file)
  expect((await buildCatalogue(directory, file, { builtAt })).id).toBe(first.id)
  expect(await readFile(file)).toEqual(bytes)
})

test('a failure leaves the old file and no temporary file', async () => {
  const check = async (directory: string, target: string, message: RegExp) => {
    await expect(buildCatalogue(directory, target, { builtAt })).rejects.toThrow(message)
    expect((await readdir(directory)).filter((name) => name.includes('.new'))).toEqual([])
  }
  const broken = await writeFacts(rows, { gcp: null })
  await writeFile(join(broken, 'catalogue.bin'), 'older')
  await check(broken, join(broken, 'catalogue.bin'), /gcp\.csv\.gz is missing/)
  expect(await readFile(join(broken, 'catalogue.bin'), 'utf8')).toBe('older')

  const empty = await writeFacts([])
  await check(empty, join(empty, 'catalogue.bin'), /no offer at all/)

  const blocked = await writeFacts(rows)
  await mkdir(join(blocked, 'catalogue.bin'))
  await check(blocked, join(blocked, 'catalogue.bin'), /catalogue\.bin/)
})
