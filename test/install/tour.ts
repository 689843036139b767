import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { exampleRequest } from '../example-request.ts'
import { ask, eventually } from '../service.ts'
import { listenTo, run } from './programs.ts'

/** An installed program: the executable, and the arguments before those of a command. */
export interface Installed {
  readonly program: string
  readonly words: readonly string[]
}

const machine = ['--provider', 'aws', '--region', 'us-east-1', '--type', 'm5.xlarge']

/**
 * What a new user does with an installation in an empty directory: use the command line, serve, open the console, use the HTTP
 * API, measure this machine by the agent until the service lists it, stop. No file may appear in the current directory.
 */
export async function tour({ program, words }: Installed): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'cheapside-home-'))
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-empty-'))
  const env = { PATH: '/usr/bin:/bin', HOME: home, XDG_DATA_HOME: join(home, 'data') }
  const call = (...more: string[]) => run(program, [...words, ...more], { directory, env })
  try {
    const recommended = await call('recommend', ...machine, '--usage-cpu', '1.5', '--usage-ram', '6')
    expect(recommended).toMatchObject({ code: 0, err: '' })
    expect(recommended.out).toContain('Now: m5.xlarge at AWS us-east-1')

    const server = spawn(program, [...words, 'serve', '--json'], {
      cwd: directory,
      env: {
        ...env,
        CHEAPSIDE_LISTEN: '127.0.0.1:0',
        CHEAPSIDE_METADATA_URL: 'none',
        CHEAPSIDE_REFRESH_HOURS: '0',
      },
    })
    const exit = once(server, 'exit')
    try {
      const said = listenTo(server)
      const facts = await eventually(async () => {
        if (server.exitCode !== null) throw new Error(said.err)
        const lines = said.out.split('\n').slice(0, -1)
        const facts = Object.assign({}, ...lines.map((line) => JSON.parse(line)))
        return facts.key === undefined ? undefined : (facts as { url: string; key: string })
      })
      await visit(facts)
      await measureByAgent({ program, words }, facts, directory, env)
    } finally {
      server.kill('SIGTERM')
    }
    expect(await exit).toEqual([0, null])
    expect(readdirSync(directory)).toEqual([])
  } finally {
    for (const path of [home, directory]) rmSync(path, { recursive: true, force: true })
  }
}

async function visit({ url, key }: { url: string; key: string }): Promise<void> {
  expect((await ask(url, '/readyz')).status).toBe(200)
  const page = await ask(url, '/')
  expect(page.text).toContain('<title>')
  const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page.text)![1]!
  expect((await ask(url, script)).headers.get('content-type')).toContain('javascript')
  expect((await ask(url, '/docs')).status).toBe(200)
  const body = exampleRequest({ providers: ['aws'], usage_types: ['ondemand'] })
  expect(await ask(url, '/recommendations', { key, body })).toMatchObject({ status: 200 })
}

/** Runs the agent until the service lists the machine with the CPU time of its processes. */
async function measureByAgent(
  { program, words }: Installed,
  { url, key }: { url: string; key: string },
  directory: string,
  env: Record<string, string>,
): Promise<void> {
  const keyFile = join(env.HOME!, 'agent.key')
  writeFileSync(keyFile, key)
  const flags = ['--vm', 'web-1', '--without-metadata', '--spool', join(env.HOME!, 'spool'), '--every', '5']
  const agent = spawn(program, [...words, 'agent', '--to', url, '--key-file', keyFile, ...flags], {
    cwd: directory,
    env,
  })
  const exit = once(agent, 'exit')
  try {
    const said = listenTo(agent)
    const summary = await eventually(async () => {
      if (agent.exitCode !== null) throw new Error(said.err)
      const { json } = await ask(url, '/v1/vm_summaries?vm=web-1', { key })
      return json.find(({ totalCurrentCPU }: { totalCurrentCPU: number }) => totalCurrentCPU > 0)
    })
    expect(summary).toMatchObject({
      vm: 'web-1',
      totalCurrentRAM: expect.toSatisfy((gib: number) => gib > 0),
    })
    const { json: processes } = await ask(url, '/v1/vm_recommendations?vm=web-1', { key })
    expect(processes.length).toBeGreaterThan(1)
  } finally {
    agent.kill('SIGTERM')
  }
  expect(await exit).toEqual([0, null])
}
