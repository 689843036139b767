import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownServices } from './own-services.case.ts'
import { ask, runProcess, smallCatalogue } from './service.ts'

const { start, newDirectory } = ownServices()

test('a service that is stopped while it starts ends, and leaves nothing running', async () => {
  const modules = ['server/wiring/service', 'config'].map(
    (name) => new URL(`../src/${name}.ts`, import.meta.url).href,
  )
  const code = `const [{ startService }, { readSettings }] = await Promise.all(${JSON.stringify(modules)}.map((m) => import(m)))
    const settings = readSettings({ CHEAPSIDE_DATA: ${JSON.stringify(newDirectory())}, CHEAPSIDE_LISTEN: '127.0.0.1:0', CHEAPSIDE_LOG_LEVEL: 'silent', CHEAPSIDE_REFRESH_HOURS: '0', CHEAPSIDE_CATALOGUE: ${JSON.stringify(smallCatalogue)} })
    await (await startService(settings)).stop()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [exit] = await once(child, 'exit')
  expect(exit).toBe(0)
})

test('when the time to drain is over, the service ends', async () => {
  const service = await start({ env: { CHEAPSIDE_DRAIN_SECONDS: '1' } })
  expect(await service.stop()).toBe(0)
})

test('requests that do not finish are aborted at the end of the grace time', async () => {
  const service = await start({ env: { CHEAPSIDE_GRACE_SECONDS: '1' } })
  const stuck = httpRequest(`${service.url}/admin/keys`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
  })
  stuck.on('error', () => {})
  stuck.write('{')
  await once(stuck, 'socket')
  await ask(service.url, '/healthz')
  expect(await service.stop()).toBe(0)
  expect(service.output.err).toContain('did not finish within the grace time')
})

describe('a failed start is reported in one line', () => {
  test('the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const listen = `127.0.0.1:${(other.address() as { port: number }).port}`
    const { code, err } = await runProcess(['serve', '--listen', listen, '--data', newDirectory()], {
      CHEAPSIDE_CATALOGUE: smallCatalogue,
    })
    other.close()
    expect([code, err]).toEqual([
      1,
      `cheapside serve: ${listen} is in use by another program; choose another address with CHEAPSIDE_LISTEN\n`,
    ])
  })

  test('the data directory is a file, or below one', async () => {
    const file = join(newDirectory(), 'file')
    writeFileSync(file, '')
    for (const data of [file, join(file, 'below')]) {
      const { code, err } = await runProcess(['serve', '--listen', '127.0.0.1:0', '--data', data])
      expect(code).toBe(1)
      expect(err).toMatch(/^cheapside serve: The data directory .*\n$/)
    }
  })

  test('the data directory may not be written to', async () => {
    // Root may write anywhere but into /proc.
    const data = process.getuid?.() === 0 ? '/proc/cheapside' : newDirectory()
    if (process.getuid?.() !== 0) chmodSync(data, 0o500)
    const { code, err } = await runProcess(['serve', '--listen', '127.0.0.1:0', '--data', data])
    expect([code, err.split('\n').length]).toEqual([1, 2])
    expect(err).toContain(`The data directory ${data} cannot be`)
  })

  test('a provider that does not exist', async () => {
    const environment = { CHEAPSIDE_PROVIDERS: 'amazonia', CHEAPSIDE_DATA: newDirectory() }
    const { code, out, err } = await runProcess(['serve', '--listen', '127.0.0.1:0'], environment)
    expect([code, out]).toEqual([2, ''])
    expect(err).toBe('cheapside: CHEAPSIDE_PROVIDERS: There is no provider "amazonia"\n')
  })
})
