import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'

/** A program of a Debian package, from PATH or as debianPath() finds it. */
export function debianBinary(name: string, debianPackage: string): string {
  return debianPath(join('usr/bin', name), debianPackage)
}

const cache = process.env.CHEAPSIDE_PEERS ?? join(tmpdir(), 'cheapside-peers')

/** The file of a package on this machine: a program on PATH, as the package installs it, or in the cache directory. */
export function installedPath(path: string, debianPackage: string): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, basename(path)))
  const programs = /\bs?bin\/[^/]+$/.test(path) && !path.includes('/lib/') ? onPath : []
  return [...programs, join('/', path), join(cache, debianPackage, path)].find((one) => existsSync(one))
}

/**
 * The file or directory of a Debian package: as installed, otherwise from a cache directory (CHEAPSIDE_PEERS, or one in the
 * temporary directory). The package is downloaded and unpacked into the cache; nothing is installed and no service is started.
 */
export function debianPath(path: string, debianPackage: string): string {
  const cached = join(cache, debianPackage, path)
  const found = installedPath(path, debianPackage)
  if (found !== undefined) return found
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'download-'))
  try {
    run('apt-get', ['download', debianPackage], scratch)
    const archive = readdirSync(scratch).find((file) => file.endsWith('.deb'))
    run('dpkg', ['-x', join(scratch, archive ?? ''), join(scratch, 'unpacked')], scratch)
    if (!existsSync(cached)) renameSync(join(scratch, 'unpacked'), join(cache, debianPackage))
  } catch (error) {
    if (!existsSync(cached))
      throw new Error(`No ${path} to test with: install the Debian package ${debianPackage}`, {
        cause: error,
      })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return cached
}

function run(command: string, args: readonly string[], directory: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd: directory, encoding: 'utf8' })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${stderr}`)
}
