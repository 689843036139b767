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
import { DataFolderError, warningAboutFolder } from './folder.ts'
import { DataFolderInUse, lockFolder } from './folder-lock.ts'
import { openSqliteStore } from './store.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-lock-'))
const others: ChildProcess[] = []
afterAll(() => {
  for (const other of others) other.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

async function lockInOtherProcess(folder: string) {
  const module = new URL('./folder-lock.ts', import.meta.url).href
  const code = `const { lockFolder } = await import(${JSON.stringify(module)})
    lockFolder(${JSON.stringify(folder)}); gc(); console.log('locked'); setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  others.push(other)
  await once(createInterface(other.stdout), 'line')
  return other
}

test('a second server reports who holds the folder, until that one is killed, even after garbage collection', async () => {
  const folder = join(scratch, 'new', 'data')
  const other = await lockInOtherProcess(folder)
  expect(() => lockFolder(folder)).toThrow(DataFolderInUse)
  expect(() => lockFolder(folder)).toThrow(`${folder} is already in use by process ${other.pid}`)
  other.kill('SIGKILL')
  await once(other, 'exit')
  lockFolder(folder).release()
})

test('a released lock can be taken again, also in the same process', () => {
  const folder = join(scratch, 'again')
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`already in use by process ${process.pid}`)
  lock.release()
  lock.release()
  lockFolder(folder).release()
})

test('short commands open the database while a server has the folder', async () => {
  const folder = join(scratch, 'shared')
  const lock = lockFolder(folder)
  const store = await openSqliteStore({ folder })
  await store.ping()
  await store.close()
  lock.release()
  expect(statSync(join(folder, 'cheapside.db')).mode & 0o077).toBe(0)
})

test('the pid is never written through a symbolic link', () => {
  const folder = join(scratch, 'linked')
  const [victim, missing] = [join(scratch, 'victim'), join(scratch, 'missing')]
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(victim, 'precious')
  for (const target of [victim, missing]) {
    symlinkSync(target, join(folder, 'serve.pid'))
    const lock = lockFolder(folder)
    expect(lstatSync(join(folder, 'serve.pid')).isFile()).toBe(true)
    expect(statSync(join(folder, 'serve.pid')).mode & 0o077).toBe(0)
    lock.release()
  }
  expect([readFileSync(victim, 'utf8'), existsSync(missing)]).toEqual(['precious', false])
  expect(readdirSync(folder)).toEqual(['serve.lock'])
})

test('a new folder is private; an existing folder that is not causes a warning', () => {
  const folder = join(scratch, 'closed', 'data')
  lockFolder(folder).release()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(warningAboutFolder(folder)).toBeUndefined()
  for (const mode of [0o755, 0o770, 0o701]) {
    chmodSync(folder, mode)
    expect(warningAboutFolder(folder)).toBe(
      `The data folder ${folder} is accessible to other users of this machine (mode 0${mode.toString(8)}); restrict it with chmod 700`,
    )
  }
})

const file = join(scratch, 'file')
writeFileSync(file, '')
const unusable = [
  { folder: file, says: `${file} is a file, not a folder` },
  { folder: join(file, 'below'), says: `${join(file, 'below')} cannot be created` },
  ...(existsSync('/proc/self')
    ? [
        { folder: '/proc', says: '/proc cannot be written to' },
        { folder: '/proc/cheapside/data', says: '/proc/cheapside/data cannot be created' },
      ]
    : []),
]
test.each(unusable)('$folder cannot be used, and the message says why', async ({ folder, says }) => {
  expect(() => lockFolder(folder)).toThrow(DataFolderError)
  expect(() => lockFolder(folder)).toThrow(says)
  await expect(openSqliteStore({ folder })).rejects.toThrow(says)
})
