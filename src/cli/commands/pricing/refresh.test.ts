import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { writeAtomically } from '../../../catalogue/build-catalogue.ts'
import {
  type FakeProviders,
  hundredfoldCheaper,
  runFakeProviders,
  shippedBytes,
} from '../../../catalogue/refresh/fake-providers.case.ts'
import { decodeSnapshot } from '../../../catalogue/snapshot/snapshot.ts'
import { openStore } from '../../../store/open.ts'
import { runCli } from '../../cli.ts'
import { refreshCommand } from './refresh.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-cli-refresh-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const opened: FakeProviders[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((running) => running.close()))))

/** Runs one command line against local servers in place of the providers. */
async function check(
  words: string[],
  { running = undefined as FakeProviders | undefined, secrets = true } = {},
) {
  const fakeProviders = running ?? (await runFakeProviders())
  if (running === undefined) opened.push(fakeProviders)
  const directory = join(scratch, crypto.randomUUID())
  const catalogue = join(directory, 'shipped.catalogue')
  await writeAtomically(catalogue, shippedBytes)
  const environment = {
    CHEAPSIDE_DATA: join(directory, 'data'),
    CHEAPSIDE_CATALOGUE: catalogue,
    CHEAPSIDE_PRICE_ENDPOINTS: Object.entries(fakeProviders.endpoints)
      .map(([name, url]) => `${name}=${url}`)
      .join(','),
    ...(secrets ? fakeProviders.secrets : {}),
  }
  const open = () => openStore({ dataDirectory: environment.CHEAPSIDE_DATA })
  const out: string[] = []
  const err: string[] = []
  const code = await runCli([refreshCommand], ['catalogue', 'refresh', ...words], environment, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  })
  return { code, out, err, directory, open }
}

test('publishes to the database, with progress on standard error', async () => {
  const { code, out, err, open } = await check([])
  expect([code, out]).toEqual([
    0,
    expect.arrayContaining([expect.stringMatching(/^azure: fresh, \d+ prices$/)]),
  ])
  expect(out).toHaveLength(6)
  expect(err).toContain('azure: page 1')
  const store = await open()
  const published = await store.prices.latest()
  await store.close()
  expect(decodeSnapshot(published!.bytes).manifest.providers).toHaveLength(6)
})

test('writes a file instead, also of some providers only', async () => {
  const file = join(scratch, 'new.catalogue')
  const { code, out } = await check(['--provider', 'ovhcloud', '--provider', 'aws', '--to', file, '--json'])
  const answer = JSON.parse(out.join(''))
  expect(code).toBe(0)
  expect(answer.providers.map((one: { provider: string }) => one.provider)).toEqual(['aws', 'ovhcloud'])
  expect(decodeSnapshot(await readFile(file)).id).toBe(answer.id)
})

test('an implausible list fails with exit code 1 and the reason; --accept accepts it', async () => {
  const running = await runFakeProviders(hundredfoldCheaper)
  opened.push(running)
  const refused = await check(['--provider', 'azure'], { running })
  expect(refused.code).toBe(1)
  expect(refused.out[0]).toMatch(/^azure: refused, 2 prices; the median ONDEMAND price is/)
  expect((await check(['--provider', 'azure', '--accept'], { running })).code).toBe(0)
})

test('a missing credential is a failure only if its provider was named', async () => {
  expect((await check([], { secrets: false })).code).toBe(0)
  const named = await check(['--provider', 'gcp'], { secrets: false })
  expect([named.code, named.out, named.err]).toEqual([
    1,
    ['gcp: needs-credential, 5 prices; needs GOOGLE_API_KEY, an API key'],
    [
      'gcp: needs-credential; the previous prices stay in use',
      'The refresh failed: no price list was read, and nothing was published.',
    ],
  ])
  const store = await named.open()
  const recorded = decodeSnapshot((await store.prices.latest())!.bytes).manifest
  await store.close()
  expect(recorded.builtAt).toBe(decodeSnapshot(shippedBytes).manifest.builtAt)
  expect(recorded.providers.find(({ provider }) => provider === 'gcp')!.refresh).toMatchObject({
    outcome: 'needs-credential',
  })
})

test('no file is written if no list was read', async () => {
  const file = join(scratch, 'none.catalogue')
  const { code, err } = await check(['--provider', 'gcp', '--to', file], { secrets: false })
  expect([code, err.at(-1)]).toEqual([
    1,
    'The refresh failed: no price list was read, and no file was written.',
  ])
  expect(existsSync(file)).toBe(false)
})

test('an unknown provider is a usage error', async () => {
  const { code, err } = await check(['--provider', 'linode'])
  expect(code).toBe(2)
  expect(err[0]).toContain('"linode" has no price list')
})

test('--dry-run reads nothing; it shows where lists are, what they need, and how large they were', async () => {
  const running = await runFakeProviders()
  opened.push(running)
  const { code, out, open } = await check(['--dry-run'], { running, secrets: false })
  expect([code, out.length]).toEqual([0, 6])
  expect(out[2]).toMatch(/^gcp: needs GOOGLE_API_KEY; http:.*; size not measured; every 24 hours$/)
  expect([...running.servers.values()].flatMap(({ asked }) => asked)).toEqual([])
  const store = await open()
  expect(await store.prices.latestId()).toBeUndefined()
  await store.close()
  const one = await check(['--dry-run', '--json', '--provider', 'scaleway'], { running })
  expect(JSON.parse(one.out[0]!).lists).toMatchObject([
    { provider: 'scaleway', missingCredentials: [], bytes: null },
  ])
})

test('--record keeps what the providers answer', async () => {
  const answers = join(scratch, 'answers')
  const { code } = await check(['--provider', 'ovhcloud', '--record', answers])
  expect([code, readdirSync(answers).sort()]).toEqual([
    0,
    ['001-127.0.0.1.body.gz', '001-127.0.0.1.json', '002-127.0.0.1.body.gz', '002-127.0.0.1.json'],
  ])
})
