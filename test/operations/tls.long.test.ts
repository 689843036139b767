import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { testWith } from '../peers/test-with.ts'
import { eventually, type RunningService, startService } from '../service.ts'
import { adapted, blockOf } from './pages.ts'
import { askAs, type Certificate, certificateFor, freePort, startCaddy, startNginx } from './proxy.ts'

const test = testWith('nginx', 'caddy', 'openssl')

const name = 'cheapside.example.com'
const directory = mkdtempSync(join(tmpdir(), 'cheapside-tls-'))
let files: Certificate
let service: RunningService

beforeAll(async () => {
  files = certificateFor(name, directory)
  service = await startService({ env: { CHEAPSIDE_TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(async () => {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function check(port: number): Promise<void> {
  const ca = readFileSync(files.cert)
  await eventually(() =>
    askAs(name, port, ca, '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
  const told = await askAs(name, port, ca, '/key', { key: service.key })
  expect(JSON.parse(told.text)).toMatchObject({ organisation: 'default' })
  const entry = { instance_type: 'rack-8', region: 'here', cost_per_hour: 1, cpu_cores: 8, ram_gb: 32 }
  // 3 MB, which a proxy refuses with its default configuration.
  const entries = Array.from({ length: 9000 }, (_, i) => ({
    ...entry,
    instance_type: `${i}-${'x'.repeat(230)}`,
  }))
  const body = JSON.stringify({ name: 'racks', entries })
  expect((await askAs(name, port, ca, '/marketplace/providers', { key: service.key, body })).status).toBe(200)
}

test('behind nginx, with the configuration of the guide', async () => {
  const port = await freePort()
  const lines = adapted(blockOf('tls.md', 'nginx'), {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/ssl/cheapside.crt': files.cert,
    '/etc/ssl/cheapside.key': files.key,
    'http://127.0.0.1:8080': service.url,
  })
  const nginx = await startNginx(lines)
  onTestFinished(() => nginx.stop())
  await check(port)
})

test('behind Caddy, with the configuration of the guide', async () => {
  const port = await freePort()
  const lines = adapted(blockOf('tls.md', 'caddy'), {
    [`${name} {`]: `${name}:${port} {`,
    '/etc/ssl/cheapside.crt': files.cert,
    '/etc/ssl/cheapside.key': files.key,
    '127.0.0.1:8080': new URL(service.url).host,
  })
  const caddy = await startCaddy(lines)
  onTestFinished(() => caddy.stop())
  await check(port)
})
