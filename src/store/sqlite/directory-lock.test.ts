import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { DataDirectoryError, warningAboutDirectory } from './directory.ts'
import { DataDirectoryInUse, lockDirectory } from './directory-lock.ts'
import { openSqliteStore } from './store.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-lock-'))
const others: ChildProcess[] = []
afterAll(() => {
  for (const other of others) other.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

async function lockInOtherProcess(directory: string) {
  const module = new URL('./directory-lock.ts', import.meta.url).href
  const code = `const { lockDirectory } = await import(${JSON.stringify(module)})
    lockDirectory(${JSON.stringify(directory)}); gc(); console.log('locked'); setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  others.push(other)
  await once(createInterface(other.stdout), 'line')
  return other
}

test('a second server reports who holds the directory, until that one is killed, even after garbage collection', async () => {
  const directory = join(scratch, 'new', 'data')
  const other = await lockInOtherProcess(directory)
  expect(() => lockDirectory(directory)).toThrow(DataDirectoryInUse)
  expect(() => lockDirectory(directory)).toThrow(`${directory} is already in use by process ${other.pid}`)
  other.kill('SIGKILL')
  await once(other, 'exit')
  lockDirectory(directory).release()
})

test('a released lock can be taken again, also in the same process', () => {
  const directory = join(scratch, 'again')
  const lock = lockDirectory(directory)
  expect(() => lockDirectory(directory)).toThrow(`already in use by process ${process.pid}`)
  lock.release()
  lock.release()
  lockDirectory(directory).release()
})

test('short commands open the database while a server has the directory', async () => {
  const directory = join(scratch, 'shared')
  const lock = lockDirectory(directory)
  const store = await openSqliteStore({ directory })
  await store.ping()
  await store.close()
  lock.release()
  expect(statSync(join(directory, 'cheapside.db')).mode & 0o077).toBe(0)
})

test('the pid is never written through a symbolic link', () => {
  const directory = join(scratch, 'linked')
  const [victim, missing] = [join(scratch, 'victim'), join(scratch, 'missing')]
  mkdirSync(directory, { mode: 0o700 })
  writeFileSync(victim, 'precious')
  for (const target of [victim, missing]) {
    symlinkSync(target, join(directory, 'serve.pid'))
    const lock = lockDirectory(directory)
    expect(lstatSync(join(directory, 'serve.pid')).isFile()).toBe(true)
    expect(statSync(join(directory, 'serve.pid')).mode & 0o077).toBe(0)
    lock.release()
  }
  expect([readFileSync(victim, 'utf8'), existsSync(missing)]).toEqual(['precious', false])
  expect(readdirSync(directory)).toEqual(['serve.lock'])
})

test('a new directory is private; an existing directory that is not causes a warning', () => {
  const directory = join(scratch, 'closed', 'data')
  lockDirectory(directory).release()
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(warningAboutDirectory(directory)).toBeUndefined()
  for (const mode of [0o755, 0o770, 0o701]) {
    chmodSync(directory, mode)
    expect(warningAboutDirectory(directory)).toBe(
      `The data directory ${directory} is accessible to other users of this machine (mode 0${mode.toString(8)}); restrict it with chmod 700`,
    )
  }
})

const file = join(scratch, 'file')
writeFileSync(file, '')
const unusable = [
  { directory: file, says: `${file} is a file, not a directory` },
  { directory: join(file, 'below'), says: `${join(file, 'below')} cannot be created` },
  ...(existsSync('/proc/self')
    ? [
        { directory: '/proc', says: '/proc cannot be written to' },
        { directory: '/proc/cheapside/data', says: '/proc/cheapside/data cannot be created' },
      ]
    : []),
]
test.each(unusable)('$directory cannot be used, and the message says why', async ({ directory, says }) => {
  expect(() => lockDirectory(directory)).toThrow(DataDirectoryError)
  expect(() => lockDirectory(directory)).toThrow(says)
  await expect(openSqliteStore({ directory })).rejects.toThrow(says)
})
