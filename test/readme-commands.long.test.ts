import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testWith } from './peers/test-with.ts'
import { type RunningService, startService } from './service.ts'

// Runs the commands of the README unchanged.

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const run = promisify(execFile)
const directory = mkdtempSync(join(tmpdir(), 'cheapside-readme-'))
const env = {
  PATH: `${directory}:${dirname(process.execPath)}:/usr/bin:/bin`,
  CHEAPSIDE_DATA: join(directory, 'data'),
}
let service: RunningService

/** The shell block of a section, without comments. */
function block(heading: string): string {
  const section = readme.split(/^## /m).find((one) => one.startsWith(`${heading}\n`))
  return /```sh\n([\s\S]*?)```/.exec(section!)![1]!
}

beforeAll(async () => {
  symlinkSync(join(root, 'bin/cheapside.js'), join(directory, 'cheapside'))
  copyFileSync(join(root, 'examples/terraform/plan.json'), join(directory, 'plan.json'))
  writeFileSync(
    join(directory, 'prices.csv'),
    'provider,instance_type,region,cost_per_hour,cpu_cores,ram_gb\nracks,rack-8,basement,0.04,8,32\n',
  )
  const requests = { cpu: '500m', memory: '1Gi' }
  const spec = { containers: [{ name: 'app', resources: { requests } }] }
  writeFileSync(
    join(directory, 'after.yaml'),
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec }),
  )
  const inventory = join(import.meta.dirname, 'inventory')
  copyFileSync(join(inventory, 'aws-describe-instances.json'), join(directory, 'aws.json'))
  copyFileSync(join(inventory, 'az-vm-list.json'), join(directory, 'azure.json'))
  service = await startService()
})
afterAll(async () => {
  await service?.stop()
  rmSync(directory, { recursive: true, force: true })
})

testWith('curl')('the tour with curl', async () => {
  const script = block('Five-minute tour with curl')
    .replace('csk_...', service.key)
    .replaceAll('localhost:8080', service.url)
    .replace('api() { curl -s', 'api() { echo; curl -sf')
  const { stdout } = await run('sh', ['-ec', script], { cwd: directory, env, maxBuffer: 64 << 20 })
  const [, cheaper, providers, registered, key] = stdout.split('\n').map((line) => line && JSON.parse(line))
  expect(Object.keys(cheaper)[0]).toBe('base')
  expect(Object.keys(cheaper).length).toBeGreaterThan(1)
  expect(providers).toHaveProperty('aws')
  expect(registered).toMatchObject({ Status: 'Registered' })
  expect(key.key).toMatch(/^csk_/)
})

testWith('curl')('the requests for recommendations', async () => {
  const script = block('Connect a cluster or machines').replaceAll('localhost:8080', service.url)
  const status = `api() { curl -s -o /dev/null -w '%{http_code} ' -H 'X-API-KEY: ${service.key}' "$@"; }\n`
  const { stdout } = await run('sh', ['-ec', status + script], { cwd: directory, env })
  expect(stdout.trim()).toBe('200 200')
})

/** Not run, because it reads a price list of a provider over the network. */
const online = 'catalogue refresh'
const commands = block('Command line')
  .split('\n')
  .map((line) => line.split(' #')[0]!.trim())
  .filter((line) => line.startsWith('cheapside ') && !line.includes(online))

test.each(commands)('%s', async (command) => {
  const finished = await run('sh', ['-c', command], { cwd: directory, env, maxBuffer: 64 << 20 }).catch(
    (error: { code: number; stdout: string }) => error,
  )
  expect(finished.stdout.trim()).not.toBe('')
  // The plan of the examples costs more than the command allows.
  expect('code' in finished ? finished.code : 0).toBe(command.includes('--max-increase') ? 3 : 0)
})
