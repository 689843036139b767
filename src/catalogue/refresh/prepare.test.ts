import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { importers } from '../../providers/importers.ts'
import { decodeSnapshot } from '../snapshot/snapshot.ts'
import { type FakeProviders, runFakeProviders, shippedBytes } from './fake-providers.case.ts'
import { prepareRefresh, providerOutcomes, readCredentials, readEndpoints } from './prepare.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-secrets-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const opened: FakeProviders[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((running) => running.close()))))

async function environment(): Promise<Record<string, string>> {
  const running = await runFakeProviders()
  opened.push(running)
  const endpoints = Object.entries(running.endpoints).map(([name, url]) => `${name}=${url}`)
  return { ...running.secrets, CHEAPSIDE_PRICE_ENDPOINTS: endpoints.join(', ') }
}

test('refreshes all six providers in a thread', async () => {
  const lines: string[] = []
  const prepared = prepareRefresh({
    environment: await environment(),
    onProgress: ({ provider, text }) => lines.push(`${provider}: ${text}`),
  })
  const refreshed = await prepared.run([shippedBytes])
  expect(providerOutcomes(refreshed.manifest, prepared.providers).map(({ outcome }) => outcome)).toEqual(
    Array(6).fill('fresh'),
  )
  expect(decodeSnapshot(refreshed.bytes).id).toBe(refreshed.id)
  expect(lines).toContain('aws: us-east-1: price list')
})

test('only the selected providers; an error in the thread is reported', async () => {
  const prepared = prepareRefresh({
    providers: ['OVHcloud'],
    environment: await environment(),
    onProgress: () => {},
  })
  expect(prepared.providers).toEqual(['ovhcloud'])
  const { manifest } = await prepared.run([shippedBytes])
  expect(manifest.providers.filter(({ refresh }) => refresh !== undefined)).toHaveLength(1)
  await expect(prepared.run([Buffer.from('no snapshot')])).rejects.toThrow('not a catalogue snapshot')
})

test('a credential in a file is read at each run', async () => {
  const { HCLOUD_TOKEN, ...others } = await environment()
  const file = join(scratch, 'rotated')
  writeFileSync(file, 'expired')
  const prepared = prepareRefresh({
    providers: ['hetzner'],
    environment: { ...others, HCLOUD_TOKEN_FILE: file },
    onProgress: () => {},
  })
  const outcome = async () => {
    const { manifest } = await prepared.run([shippedBytes])
    return providerOutcomes(manifest, prepared.providers).map((of) => of.outcome)
  }
  expect(await outcome()).toEqual(['failed'])
  writeFileSync(file, HCLOUD_TOKEN!)
  expect(await outcome()).toEqual(['fresh'])
  rmSync(file)
  await expect(outcome()).rejects.toThrow('HCLOUD_TOKEN_FILE names')
})

test('a signal ends the thread', async () => {
  const stop = new AbortController()
  const prepared = prepareRefresh({
    environment: await environment(),
    onProgress: () => stop.abort(),
    signal: stop.signal,
  })
  await expect(prepared.run([shippedBytes])).rejects.toThrow('stopped')
})

test('a provider without a list is named, with those that have one', () => {
  expect(() => prepareRefresh({ providers: ['linode'], environment: {}, onProgress: () => {} })).toThrow(
    '"linode" has no price list that can be read; aws, azure, gcp, digitalocean, hetzner, ovhcloud, scaleway have',
  )
})

describe('credentials', () => {
  test('from the environment, else from a file; nothing else of the environment is taken', () => {
    const file = join(scratch, 'token')
    writeFileSync(file, 'from a file\n')
    const given = { GOOGLE_API_KEY: ' key ', HCLOUD_TOKEN_FILE: file, DIGITALOCEAN_TOKEN: '', PATH: '/bin' }
    expect(readCredentials(importers, given)).toEqual({ GOOGLE_API_KEY: 'key', HCLOUD_TOKEN: 'from a file' })
  })

  test('a file that cannot be read is named', () => {
    expect(() => readCredentials(importers, { HCLOUD_TOKEN_FILE: '/nowhere/token' })).toThrow(
      'HCLOUD_TOKEN_FILE names /nowhere/token, which cannot be read',
    )
  })

  test('other addresses are checked by name and form', () => {
    const read = (text: string) => readEndpoints(importers, { CHEAPSIDE_PRICE_ENDPOINTS: text })
    expect(read(' aws.prices = https://mirror.example/aws ,azure.prices=http://127.0.0.1:1')).toEqual({
      'aws.prices': 'https://mirror.example/aws',
      'azure.prices': 'http://127.0.0.1:1',
    })
    for (const bad of ['aws.price=https://x', 'aws.prices=ftp://x', 'aws.prices'])
      expect(() => read(bad)).toThrow('NAME=URL')
  })
})
