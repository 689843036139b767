import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopes as allScopes } from '../src/domain/key.ts'
import { sharedAddress } from './peers/shared.ts'

/** The real program in its own process, on a free port, with its own data directory. */
export interface RunningService {
  readonly url: string
  /** The first key, with every scope; '' until the database is available. */
  readonly key: string
  readonly directory: string
  readonly child: ChildProcess
  /** The output of the program so far. */
  readonly output: { readonly out: string; readonly err: string }
  /** Sends a request with the first key unless another is given. A body that is an object is sent as JSON. */
  request(path: string, options?: RequestOptions): Promise<Answer>
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL. */
  kill(): Promise<void>
}

export interface RequestOptions {
  method?: string
  /** A key to use instead of the first one; null for no key. */
  key?: string | null
  headers?: Record<string, string>
  body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

export interface ServiceOptions {
  env?: Record<string, string>
  /** Keep using this data directory; it is not removed at the end. */
  directory?: string
  /** Do not wait for a first key: an old database, a bootstrap key, or no database yet. */
  withoutKey?: boolean
  /** The launcher of another release. */
  launcher?: string
}

const launcher = join(import.meta.dirname, '../bin/cheapside.js')
/** For tests in which prices do not matter: it loads faster than the whole one. */
export const smallCatalogue = join(import.meta.dirname, '../catalogue/more.catalogue')
/** What every process of a test has. With the cache of compiled code, its threads need not compile the sources again. */
export const basicEnv = {
  PATH: process.env.PATH,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}

export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'cheapside-data-'))
  const child = spawn(process.execPath, [options.launcher ?? launcher, 'serve', '--json'], {
    env: {
      ...basicEnv,
      CHEAPSIDE_LISTEN: '127.0.0.1:0',
      CHEAPSIDE_DATA: directory,
      CHEAPSIDE_WATCH_SELF: 'false',
      CHEAPSIDE_REFRESH_HOURS: '0',
      // There is no load balancer that needs time to notice the stop, and hundreds of tests stop a service.
      CHEAPSIDE_DRAIN_SECONDS: '0',
      // On a busy machine the service may not be able to poll its database for longer than the default of five seconds.
      CHEAPSIDE_KEY_TRUST_SECONDS: '120',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true })
      resolve(code)
    })
  })
  const said = await new Promise<{ url: string; key: string }>((resolve, reject) => {
    child.stderr!.on('data', (chunk) => {
      output.err += chunk
    })
    child.stdout!.on('data', (chunk) => {
      output.out += chunk
      const said = Object.assign(
        { url: '', key: '' },
        ...completeLines(output.out).map((line) => JSON.parse(line)),
      )
      if (said.url !== '' && (said.key !== '' || options.withoutKey)) resolve(said)
    })
    exited.then((code) => reject(new Error(`the service ended with ${code}: ${output.err}`)))
  })
  return {
    ...said,
    directory,
    child,
    output,
    request: (path, request) => ask(said.url, path, { key: said.key, ...request }),
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The one service of the run, as an organisation of its own. Only tests that need a process, settings or a log start another. */
export interface SharedService extends Pick<RunningService, 'url' | 'key' | 'directory' | 'request'> {
  readonly organisation: string
  /** A key of a new organisation, which no other file knows. */
  newKey(scopes?: readonly string[]): Promise<{ key: string; organisation: string }>
}

export async function sharedService(): Promise<SharedService> {
  const { url, key: first, directory } = JSON.parse((await sharedAddress('service')) ?? 'null')
  const newKey = async (scopes: readonly string[] = allScopes) => {
    const organisation = `org-${crypto.randomUUID()}`
    const body = { organisation, name: 'test', scopes }
    const { json } = await ask(url, '/admin/keys', { key: first, body })
    return { key: json.key, organisation }
  }
  const { key, organisation } = await newKey()
  const request: RunningService['request'] = (path, options) => ask(url, path, { key, ...options })
  return { url, key, directory, organisation, newKey, request }
}

interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs one command line to its end, in this process. */
export async function runCommand(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const [{ runCli }, { commands }] = await Promise.all([
    import('../src/cli/cli.ts'),
    import('../src/commands.ts'),
  ])
  const result = { out: '', err: '' }
  const code = await runCli(commands, words, env, {
    out: (text) => {
      result.out += `${text}\n`
    },
    err: (text) => {
      result.err += `${text}\n`
    },
  })
  return { code, ...result }
}

/** Runs one command line to its end, in a process of its own. */
export async function runProcess(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [launcher, ...words], {
    env: { ...basicEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const result = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    result.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    result.err += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...result }
}

export async function ask(url: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const headers: Record<string, string> = { ...options.headers }
  if (options.key) headers['x-api-key'] = options.key
  const isText = typeof options.body === 'string' || options.body instanceof Uint8Array
  if (options.body !== undefined && !isText) headers['content-type'] ??= 'application/json'
  const response = await fetch(url + path, {
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers,
    redirect: 'manual',
    ...(options.body === undefined
      ? {}
      : { body: isText ? (options.body as string) : JSON.stringify(options.body) }),
  })
  const text = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}

/** Repeats the check until it returns a result. It has no time limit other than that of the test. */
export async function eventually<Result>(look: () => Promise<Result | undefined | false>): Promise<Result> {
  for (;;) {
    const result = await look()
    if (result !== undefined && result !== false) return result
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function completeLines(text: string): string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
}
