import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries, giveAway, runAs } from '../../test/peers/postgres-binaries.ts'

export interface BenchServer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL with enough memory for the table and its indexes. The tests' own server has too little for a fair
 * comparison.
 */
export async function startLargePostgres(): Promise<BenchServer> {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-catalogue-'))
  giveAway(directory)
  const bin = findBinaries(directory)
  const environment = { PATH: process.env.PATH, LC_ALL: 'C' }
  const options = { ...runAs, cwd: '/', env: environment }
  execFileSync(
    join(bin, 'initdb'),
    ['-D', join(directory, 'data'), '-U', 'bench', '-A', 'trust', '-N'],
    options,
  )
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_buffers=3GB',
    'fsync=off',
  ]
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', join(directory, 'data'), '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  )
  const url = `postgres://bench@127.0.0.1:${port}/postgres`
  process.once('exit', () => {
    server.kill('SIGQUIT')
    rmSync(directory, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  for (let attempt = 0; !(await answers(url)); attempt++) {
    if (attempt === 200 || server.exitCode !== null) throw new Error('PostgreSQL did not start')
    await delay(50)
  }
  return {
    url,
    async stop() {
      const gone = once(server, 'exit')
      server.kill('SIGINT')
      await gone
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
