import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { testOnLinux as test } from '../../../../test/peers/test-with.ts'
import { FakeHost } from '../../../agent/fake-host.case.ts'
import { eventually, listen, readRequest } from '../../../agent/receiver.case.ts'
import { runCli } from '../../cli.ts'
import { agentCommand } from './agent.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-agent-'))
const host = new FakeHost()
host.process(10, { pssMib: 50, rssMib: 60 })
afterAll(() => {
  host.remove()
  rmSync(directory, { recursive: true, force: true })
})
const keyFile = join(directory, 'key')
writeFileSync(keyFile, 'key')
const onHost = ['--proc', host.proc, '--cgroups', host.cgroupRoot, '--without-metadata']

async function run(...words: string[]) {
  const said = { out: '', err: '' }
  const price = async () => ({ corePerHourUsd: 1, gibPerHourUsd: 1, source: 'a test' })
  const code = await runCli(
    [agentCommand('1.2.3', price)],
    ['agent', ...words],
    {},
    {
      out: (text) => {
        said.out += text
      },
      err: (text) => {
        said.err += text
      },
    },
  )
  return { code, ...said }
}

test('one measurement, as a table and as JSON', async () => {
  const table = await run('--once', '--seconds', '1', '--vm', 'web-1', ...onHost)
  expect(table.code).toBe(0)
  expect(table.out).toMatch(/^web-1: 2 cores, 7\.63 GiB, \$.* a month at a test\./)
  const { processes, facts } = JSON.parse((await run('--once', '--seconds', '1', '--json', ...onHost)).out)
  expect(processes).toMatchObject([{ process: 'web', count: 1, memoryBytes: 50 << 20 }])
  expect(facts.provider).toBeUndefined()
})

test.each([
  [['--key-file', keyFile], '--to is required'],
  [['--to', 'http://127.0.0.1:1'], '--key-file is required'],
  [['--to', 'ftp://x', '--key-file', keyFile], '--to must be the address of the service'],
  [['--to', 'http://127.0.0.1:1', '--key-file', keyFile, '--every', '1'], '--every must be from 5 to 300'],
  [['--once', '--usage-type', 'leased'], '--usage-type must be ondemand, reserved or spot'],
])('invalid arguments: %j', async (words, message) => {
  const { code, err } = await run(...words)
  expect(code).toBe(2)
  expect(err).toContain(message)
})

test('a missing key file fails at once', async () => {
  const { code, err } = await run(
    '--to',
    'http://127.0.0.1:1',
    '--key-file',
    join(directory, 'none'),
    ...onHost,
  )
  expect(code).toBe(1)
  expect(err).toContain('no such file')
})

test('measures until it is stopped, as a separate process', async () => {
  const bodies: Buffer[] = []
  const urls: unknown[] = []
  const server = await listen((request, body) => {
    urls.push(request.url, request.headers['user-agent'])
    bodies.push(body)
    return { status: 200 }
  })
  const script = `
    import { runCli } from ${JSON.stringify(join(import.meta.dirname, '../../cli.ts'))}
    import { agentCommand } from ${JSON.stringify(join(import.meta.dirname, 'agent.ts'))}
    const out = (text) => console.log(text), err = (text) => console.error(text)
    process.exitCode = await runCli([agentCommand('1.2.3')], process.argv.slice(1), {}, { out, err })`
  const words = [
    'agent',
    '--to',
    server.url,
    '--key-file',
    keyFile,
    '--spool',
    join(directory, 'spool'),
    ...onHost,
  ]
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
    '--',
    ...words,
    '--provider',
    'base',
  ])
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await eventually(() => bodies.length > 0)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  await server.close()
  expect(urls.slice(0, 2)).toEqual(['/api/v1/write', 'cheapside-agent/1.2.3'])
  expect(readRequest(bodies[0]!).map(({ labels }) => labels.process)).toContain('web')
  expect(said).toContain('every 15 s')
})
