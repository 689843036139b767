import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { query, startPostgres } from '../peers/postgres.ts'
import { ask, eventually, startService } from '../service.ts'

// What 0.2.0 left behind when it was killed; make-fixture.ts made it with that release.
const fixture = (name: string) => join(import.meta.dirname, `v0.2.0-${name}`)
const recorded = JSON.parse(readFileSync(fixture('answers.json'), 'utf8'))
const question = {
  provider: 'our-racks',
  region: 'basement',
  availability_zone: '',
  service: 'our-racks',
  instance_type: 'rack-8',
  operating_system: 'Linux',
  usage_type: 'ondemand',
}

async function checkUpgraded(kind: 'embedded' | 'shared', directory: string, env: Record<string, string>) {
  const { window, key, otherKey, answers } = recorded[kind]
  // The usage of the fixture gets older every day.
  const settings = { ...env, CHEAPSIDE_RETENTION_DAYS: '36500' }
  const service = await startService({ directory, env: settings, withoutKey: true })
  const read = async (path: string, as = key) => (await ask(service.url, path, { key: as })).json
  try {
    await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
    expect((await read('/key')).scopes).toContain('gateway:write')
    expect(await read('/key', otherKey)).toMatchObject({ organisation: 'acme', name: 'reader' })
    const price = await ask(service.url, '/pricing', { key, body: question })
    expect(price.json).toMatchObject({ cost_per_hour: 0.04 })
    expect(await read('/v1/sizing_profile')).toMatchObject({ profile: 'safe' })
    const [before] = answers.namespaces
    const containers = await eventually(async () => {
      const [now] = await read(`/v1/namespace_recommendations?${window}`)
      const found = now?.ContainerRecommendations ?? {}
      return Object.keys(found).length === 2 && found
    })
    const container = 'Deployment/web/app'
    expect(Object.keys(containers).sort()).toEqual(['Deployment/late/app', container])
    expect(containers[container].CPU.Usage.Mean).toBeCloseTo(
      before.ContainerRecommendations[container].CPU.Usage.Mean,
      2,
    )
    expect(containers[container].CurrentSpend).toBeCloseTo(
      before.ContainerRecommendations[container].CurrentSpend,
      1,
    )
    const [machine] = await read(`/v1/vm_summaries?${window}`)
    expect(machine).toMatchObject({ vm: answers.machines[0].vm })
  } finally {
    await service.stop()
  }
}

test('a data directory of 0.2.0, with samples that were only in the journal', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-upgrade-'))
  try {
    execFileSync('tar', ['-xzf', fixture('data.tar.gz'), '-C', directory])
    await checkUpgraded('embedded', directory, {})
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('a PostgreSQL database of 0.2.0', async () => {
  const postgres = await startPostgres()
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-upgrade-'))
  try {
    const database = await postgres.createDatabase()
    const sql = gunzipSync(readFileSync(fixture('postgres.sql.gz'))).toString()
    await query(database, sql.replaceAll(/^\\(?:un)?restrict .*$/gm, ''))
    await checkUpgraded('shared', directory, { DATABASE_URL: database })
  } finally {
    rmSync(directory, { recursive: true, force: true })
    await postgres.stop()
  }
})
