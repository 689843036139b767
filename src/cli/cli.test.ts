import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../commands.ts'
import { startTestService, type TestService } from '../server/service.case.ts'
import { runCli } from './cli.ts'
import { writeContexts } from './contexts.ts'
import { reformat } from './render/formats.ts'

const home = mkdtempSync(join(tmpdir(), 'cheapside-cli-'))
const environment = { HOME: home, CHEAPSIDE_DATA: join(home, 'data') }
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  await service.stop()
  rmSync(home, { recursive: true, force: true })
})

async function run(words: readonly string[], more: Record<string, string> = {}, streams = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(
    commands,
    words,
    { ...environment, ...more },
    {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
      ...streams,
    },
  )
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('what was probably meant', () => {
  test.each([
    [['recomend'], 'cheapside: unknown command "recomend"; did you mean recommend?'],
    [['keys', 'lst'], 'cheapside: unknown command "keys lst"; did you mean keys list?'],
    [['keys', 'list', '--organistion', 'x'], /Unknown option '--organistion'; did you mean --organisation\?/],
  ])('%j', async (words, line) => {
    expect(await run(words)).toEqual({ code: 2, out: '', err: expect.stringMatching(line) })
  })
})

test('sentences below a table fit the terminal', async () => {
  const { out } = await run(['types', 'list', '--limit', '1', '--sort', 'price'], {}, { columns: 80 })
  expect(out).toContain('COREMARK is per vCPU')
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test.each([80, 160])('help of every command, and of the settings, fits %i columns', async (columns) => {
  for (const words of [
    ['help'],
    ['help', 'settings'],
    ...commands.map(({ name }) => ['help', ...name.split(' ')]),
  ]) {
    const { code, out } = await run(words, {}, { columns })
    const tooLong = out.split('\n').filter((line) => line.length > columns)
    expect([code, tooLong], words.join(' ')).toEqual([0, []])
  }
})

describe('formats', () => {
  const list = (...words: string[]) => run(['sizing', 'show', ...words])
  test('json, yaml and csv', async () => {
    const json = JSON.parse((await list('-o', 'json')).out)
    expect(json).toEqual(JSON.parse((await list('--json')).out))
    expect((await list('-o', 'yaml')).out).toContain('organisation: default\nprofile: balanced\nrisk: null')
    expect((await list('--output=csv')).out).toMatch(
      /^organisation,profile,risk,set\ndefault,balanced,,false$/,
    )
    expect(await list('-o', 'xml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--output must be one of'),
    })
  })

  test('csv has a line for each innermost object, and no column for a member that others write as columns', () => {
    const csv = (value: object) => reformat(JSON.stringify(value), 'csv').split('\n')
    const rows = [
      { id: 1, at: { x: 2 } },
      { id: 3, at: null },
    ]
    expect(csv({ rows })).toEqual(['id,at.x', '1,2', '3,'])
    const options = [
      { effort: 'resize', offers: [{ type: 'a' }, { type: 'b' }] },
      { effort: 'spot', offers: [{ type: 'c' }] },
    ]
    expect(csv({ options })).toEqual(['effort,type', 'resize,a', 'resize,b', 'spot,c'])
  })

  test('an error is JSON on standard error', async () => {
    const { code, out, err } = await run(['keys', 'revoke', 'nope', '--json'])
    expect([code, out, JSON.parse(err)]).toEqual([
      1,
      '',
      { error: { code: 'not-found', message: 'There is no key nope.' } },
    ])
    expect(JSON.parse((await run(['keys', 'issue', '-o', 'json'])).err)).toEqual({
      error: { code: 'usage', message: expect.stringContaining('--name is required') },
    })
  })
})

describe('color', () => {
  const config = { XDG_CONFIG_HOME: join(home, 'color') }
  const isBold = async (words: string[], more: Record<string, string>, columns?: number) => {
    writeContexts(config, { current: 'a', contexts: { a: { server: 'http://a', key: 'k' } } })
    return (await run(['contexts', ...words], { ...config, ...more }, { columns })).out.includes('\u001b[1m')
  }
  test.each([
    [true, [], {}, 80],
    [false, [], {}, undefined],
    [false, [], { NO_COLOR: '1' }, 80],
    [false, [], { TERM: 'dumb' }, 80],
    [false, ['--color=never'], {}, 80],
    [true, ['--color', 'always'], { NO_COLOR: '1' }, undefined],
  ] as const)('%j: %j %j in %j columns', async (expected, words, more, columns) => {
    expect(await isBold([...words], more, columns)).toBe(expected)
  })
})

describe('login', () => {
  test('a stored service is used, unless another one or none is named', async () => {
    const key = join(home, 'key')
    writeFileSync(key, `${service.key}\n`)
    expect(await run(['login', service.url, '--key-file', key, '--name', 'test'])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Logged in to ${service.url} as default`),
    })
    expect(statSync(join(home, '.config/cheapside/contexts.json')).mode & 0o777).toBe(0o600)
    expect((await run(['contexts'])).out).toMatch(/test +http\S+ +yes$/m)
    expect(JSON.parse((await run(['keys', 'list', '--json'])).out).keys).toHaveLength(1)
    expect((await run(['keys', 'list', '--context', 'none'])).out).toBe('There are no keys.')
    expect(await run(['keys', 'list', '--context', 'other'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no context "other"; known: test'),
    })
    expect(
      (await run(['keys', 'list'], { CHEAPSIDE_SERVER: 'http://127.0.0.1:1', CHEAPSIDE_KEY: service.key }))
        .err,
    ).toContain('http://127.0.0.1:1 cannot be reached')
    expect((await run(['contexts', 'none'])).code).toBe(0)
    expect((await run(['keys', 'list'])).out).toBe('There are no keys.')
    expect((await run(['logout', 'test'])).code).toBe(0)
    expect((await run(['contexts'])).out).toMatch(/^No service is stored/)
  })

  test('a key that the service refuses is not stored', async () => {
    const CHEAPSIDE_KEY = `csk_${'a'.repeat(12)}_${'a'.repeat(40)}`
    expect((await run(['login', service.url], { CHEAPSIDE_KEY })).code).toBe(1)
    expect((await run(['contexts'])).out).toMatch(/^No service is stored/)
  })
})

test('bash completes commands, options and values', async () => {
  const { out } = await run(['completion', 'bash'])
  const completed = (...words: string[]) =>
    spawnSync(
      'bash',
      [
        '-c',
        `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cheapside; echo "\${COMPREPLY[*]}"`,
        'bash',
        ...words,
      ],
      {
        encoding: 'utf8',
      },
    ).stdout.trim()
  expect(completed('cheapside', 'rec')).toBe('recommend recommendations')
  expect(completed('cheapside', 'keys', '')).toBe('issue list rotate revoke')
  expect(completed('cheapside', 'keys', 'list', '--org')).toBe('--organisation')
  expect(completed('cheapside', 'vms', '-o', '')).toBe('table json yaml csv')
})
