import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries, giveAway, type PostgresRelease, runAs } from './postgres-binaries.ts'

/** A server for tests: a process of an ordinary user on loopback, with its data in a temporary directory. */
export interface OwnServer {
  /** URL of the default database. */
  readonly url: string
  start(): Promise<void>
  /** Closes connections, then writes all data to disk. */
  stopFast(): Promise<void>
  /** Stops the server as in a power failure. */
  stopHard(): Promise<void>
  /** Stops the server and removes its directory. */
  remove(): Promise<void>
}

const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * A process between the tests and the server. It prints the server's pid. When its input ends, because the tests have ended
 * or were killed, it stops the server and removes the directory. Only the server keeps the output open, so the end of the
 * output means that the server is gone.
 */
const guard = `
  "$1" -D "$2/data" -p "$3" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \\
    -c shared_buffers=16MB -c max_connections=300 -c fsync="$4" 2>>"$2/log" </dev/null & server=$!
  echo $server
  exec >/dev/null
  read word
  kill -QUIT $server
  wait $server
  [ "$word" = keep ] || rm -rf "$2"`

export interface ServerOptions {
  /** The newest by default. */
  readonly release?: PostgresRelease
  /** Makes a streaming replica of the server at this URL, which must have the same release. */
  readonly primaryUrl?: string
  /** Whether commits wait for the disk; yes by default. Without, only a power failure of the machine would lose data. */
  readonly fsync?: boolean
}

/** Creates an empty server or a replica. */
export async function createServerDirectory({
  release,
  primaryUrl,
  fsync = true,
}: ServerOptions = {}): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-postgres-'))
  giveAway(directory)
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', removeDirectory)
  const bin = findBinaries(directory, release)
  const password = primaryUrl === undefined ? crypto.randomUUID() : new URL(primaryUrl).password
  if (primaryUrl === undefined) await initialise(bin, directory, password)
  else await copyPrimary(bin, directory, primaryUrl)
  let port = await freePort()
  const urlNow = () => `postgres://cheapside:${password}@127.0.0.1:${port}/postgres`
  let running: Running | undefined

  async function startOnce(): Promise<boolean> {
    const candidate = await run(join(bin, 'postgres'), directory, port, fsync)
    if (await becomesReady(urlNow(), candidate)) {
      running = candidate
      return true
    }
    await candidate.end('keep')
    return false
  }
  async function start(): Promise<void> {
    if (running !== undefined || (await startOnce())) return
    throw new Error(`PostgreSQL did not start: ${readFileSync(join(directory, 'log'), 'utf8').slice(-2_000)}`)
  }
  async function stop(signal: NodeJS.Signals): Promise<void> {
    const last = running
    running = undefined
    if (last === undefined) return
    process.kill(last.pid, signal)
    await last.gone
    await last.end('keep')
  }

  // Between choosing a port and using it, another process may take it.
  for (let attempt = 1; !(await startOnce()); attempt++) {
    if (attempt === 5) await start()
    port = await freePort()
  }
  return {
    url: urlNow(),
    start,
    stopFast: () => stop('SIGINT'),
    stopHard: () => stop('SIGQUIT'),
    async remove() {
      await running?.end('remove')
      running = undefined
      removeDirectory()
      process.off('exit', removeDirectory)
    },
  }
}

interface Running {
  readonly pid: number
  /** Resolves when no process of the server is left. */
  readonly gone: Promise<unknown>
  end(word: 'keep' | 'remove'): Promise<void>
}

async function run(postgres: string, directory: string, port: number, fsync: boolean): Promise<Running> {
  const words = [postgres, directory, String(port), fsync ? 'on' : 'off']
  const child = spawn('/bin/sh', ['-c', guard, 'sh', ...words], {
    ...runAs,
    cwd: directory,
    env: environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  const gone = once(child.stdout, 'end')
  const [line] = await once(child.stdout, 'data')
  child.stdout.resume()
  return {
    pid: Number(String(line)),
    gone,
    async end(word) {
      child.stdin.end(`${word}\n`)
      await exited
    },
  }
}

async function becomesReady(url: string, server: Running): Promise<boolean> {
  let gone = false
  void server.gone.then(() => {
    gone = true
  })
  while (!gone) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      await delay(20)
    }
  }
  return false
}

/** Text sorts by the rules of a language if the binaries support it, so that tests detect a missing collation. */
async function initialise(bin: string, directory: string, password: string): Promise<void> {
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  giveAway(passwordFile)
  const common = ['-D', join(directory, 'data'), '-U', 'cheapside', '-A', 'scram-sha-256', '--no-sync']
  const text = ['--pwfile', passwordFile, '--encoding=UTF8', '--locale=C']
  const initdb = (...more: string[]) =>
    promisify(execFile)(join(bin, 'initdb'), [...common, ...text, ...more], {
      ...runAs,
      cwd: directory,
      env: environment,
    })
  try {
    await initdb('--locale-provider=icu', '--icu-locale=en')
  } catch (error) {
    appendFileSync(join(directory, 'log'), `${error}\n`)
    rmSync(join(directory, 'data'), { recursive: true, force: true })
    await initdb()
  }
  giveAway(passwordFile)
}

async function copyPrimary(bin: string, directory: string, primaryUrl: string): Promise<void> {
  const to = ['-D', join(directory, 'data'), '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
  await promisify(execFile)(join(bin, 'pg_basebackup'), ['-d', primaryUrl, ...to], {
    ...runAs,
    cwd: directory,
    env: environment,
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
