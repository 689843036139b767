import { cpSync, globSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandsOf } from '../operations/pages.ts'
import { copyOfClone, nodeOf, npm, run } from './programs.ts'
import { tour } from './tour.ts'

const largestMb = 43
const prefix = mkdtempSync(join(tmpdir(), 'cheapside-prefix-'))
const clone = join(prefix, 'clone')
const installed = join(prefix, 'lib/node_modules/cheapside')
const launcher = join(prefix, 'bin/cheapside')
let older: string
let oldest: string

beforeAll(async () => {
  // The commands of the guide, with a separate prefix.
  const [pack, install] = commandsOf('install.md', 'As a package')
  await copyOfClone(clone)
  await npm([...pack!.split(' ').slice(1), '--silent', '--pack-destination', prefix], clone)
  await npm([...install!.split(' ').slice(1), '--prefix', prefix, '--omit=dev'], prefix)
  ;[older, oldest] = await Promise.all([nodeOf('22.23.3'), nodeOf('24.21.0')])
}, 600_000)
afterAll(() => rmSync(prefix, { recursive: true, force: true }))

describe('the package', () => {
  test('contains JavaScript and the files that it reads, and nothing else', () => {
    const own = globSync('**/*', { cwd: installed, exclude: ['node_modules'] })
    const endings = new Set(own.map((path) => /\.[a-z]+$/.exec(path)?.[0] ?? ''))
    expect(endings).not.toContain('.ts')
    expect(own).toEqual(expect.arrayContaining(['dist/main.js', 'web/dist/index.html', 'bin/cheapside.js']))
    expect(own).toContain('catalogue/cheapside.catalogue')
    expect(own.filter((path) => /^(src|test|bench|web\/app)\b|\.(test|case)\.js$/.test(path))).toEqual([])
  })

  test(`takes at most ${largestMb} MB without Node`, () => {
    const files = globSync('**/*', { cwd: installed, exclude: (path) => /\bnode-(linux|bin)-/.test(path) })
    const bytes = files.reduce((sum, path) => sum + lstatSync(join(installed, path)).size, 0)
    expect(bytes / 1e6).toBeLessThan(largestMb)
  })

  test('runs the tour on this Node', () => tour({ program: process.execPath, words: [launcher] }), 120_000)
  test('runs the tour on Node 24', () => tour({ program: oldest, words: [launcher] }), 120_000)
  test(
    'runs the tour on the bundled Node if the installed one is older',
    () => tour({ program: older, words: [launcher] }),
    120_000,
  )
})

describe('one sentence if no suitable Node exists', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-alone-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  const call = () =>
    run(older, [join(directory, 'bin/cheapside.js'), '--version'], {
      directory,
      env: { PATH: '/usr/bin:/bin' },
    })
  beforeAll(() => {
    cpSync(join(installed, 'bin'), join(directory, 'bin'), { recursive: true })
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  })

  test('none was installed', async () => {
    const { code, err } = await call()
    expect(code).toBe(1)
    expect(err).toMatch(/^cheapside: Node 24 or newer is needed: this is v22[^\n]*--omit=optional[^\n]*\n$/)
  })

  test('the bundled one cannot run here, as on musl', async () => {
    const bundle = join(directory, `node_modules/node-${process.platform}-${process.arch}`)
    mkdirSync(join(bundle, 'bin'), { recursive: true })
    writeFileSync(join(bundle, 'package.json'), '{}')
    writeFileSync(join(bundle, 'bin/node'), '#!/lib/no-such-loader\n', { mode: 0o755 })
    const { code, err } = await call()
    expect(code).toBe(1)
    expect(err).toMatch(/^cheapside: Node 24 or newer is needed: [^\n]*built for glibc[^\n]*\n$/)
  })
})
