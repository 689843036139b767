import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Spool } from './spool.ts'

const root = mkdtempSync(join(tmpdir(), 'cheapside-spool-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0
const newDirectory = () => join(root, String(++directories))

const body = (number: number, size = 100): Uint8Array => Buffer.from(String(number).padEnd(size, '.'))
const numberOf = (bytes: Uint8Array): number => Number.parseInt(Buffer.from(bytes).toString(), 10)

/** Removes all requests, in order. */
function drain(spool: Spool, most = Number.POSITIVE_INFINITY): number[] {
  const numbers: number[] = []
  for (let next = spool.peek(); next !== undefined && numbers.length < most; next = spool.peek()) {
    numbers.push(numberOf(next.body))
    spool.done(next)
  }
  return numbers
}
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const open = (directory: string, maxBytes = 1 << 20, segmentBytes = 1000) =>
  new Spool({ directory, maxBytes, segmentBytes })
const files = (directory: string) => readdirSync(directory).filter((name) => name.endsWith('.seg'))

test('requests are returned oldest first, and nothing remains', () => {
  const directory = newDirectory()
  const spool = open(directory)
  for (const number of upTo(0, 50)) spool.append(body(number))
  expect(files(directory).length).toBeGreaterThan(3)
  expect(drain(spool)).toEqual(upTo(0, 50))
  expect(spool.isEmpty).toBe(true)
  expect(files(directory)).toEqual([])
})

test('no request is returned twice if requests are added and removed in turns, also after restarts', () => {
  const directory = newDirectory()
  const taken: number[] = []
  for (let round = 0; round < 20; round++) {
    const spool = open(directory)
    for (const number of upTo(round * 7, round * 7 + 7)) spool.append(body(number))
    taken.push(...drain(spool, 1 + (round % 9)))
  }
  taken.push(...drain(open(directory)))
  expect(taken).toEqual(upTo(0, 140))
})

test('a full spool keeps the newest requests and counts the dropped ones', () => {
  const directory = newDirectory()
  const spool = open(directory, 5000)
  for (const number of upTo(0, 500)) spool.append(body(number))
  const size = files(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
  expect(size).toBeLessThanOrEqual(5000)
  const left = drain(spool)
  expect(left).toEqual(upTo(500 - left.length, 500))
  expect(left.length).toBeGreaterThan(30)
  expect(spool.dropped).toBe(500 - left.length)
})

test('a request that is dropped while being sent does not remove another one', () => {
  const spool = open(newDirectory(), 5000)
  spool.append(body(0))
  const sending = spool.peek()!
  for (const number of upTo(1, 100)) spool.append(body(number))
  const first = numberOf(spool.peek()!.body)
  spool.done(sending)
  expect(numberOf(spool.peek()!.body)).toBe(first)
})

test.each([
  ['cut in the middle of a record', (path: string) => truncateSync(path, statSync(path).size - 7)],
  ['cut in the head of a record', (path: string) => truncateSync(path, statSync(path).size - 105)],
  ['with garbage at the end', (path: string) => appendFileSync(path, 'rubbish that is no record at all')],
])('the intact records of a file %s are read', (_what, damage) => {
  const directory = newDirectory()
  const spool = open(directory, 1 << 20, 1 << 20)
  for (const number of upTo(0, 5)) spool.append(body(number))
  damage(join(directory, files(directory)[0]!))
  const again = open(directory, 1 << 20, 1 << 20)
  again.append(body(9))
  const numbers = drain(again)
  expect(numbers.slice(0, 4)).toEqual(upTo(0, 4))
  expect(numbers.at(-1)).toBe(9)
})

test('kill -9 during a write loses nothing that was appended', async () => {
  const directory = newDirectory()
  const script = `
    import { Spool } from ${JSON.stringify(join(import.meta.dirname, 'spool.ts'))}
    const spool = new Spool({ directory: ${JSON.stringify(directory)}, maxBytes: 1 << 26, segmentBytes: 20_000 })
    for (let number = 0; number < 1500; number++) {
      spool.append(Buffer.from(String(number).padEnd(900, '.')))
      process.stdout.write(number + '\\n')
    }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  let said = ''
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      said += chunk
      if (said.length > 1500) child.kill('SIGKILL')
    })
    child.on('close', () => resolve())
  })
  const last = Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1))
  const numbers = drain(open(directory))
  expect(numbers).toEqual(upTo(0, numbers.length))
  expect(numbers.length).toBeGreaterThan(last)
})

test('a directory that is not writable is reported, and used again once it is', () => {
  const directory = newDirectory()
  const spool = open(directory)
  mkdirSync(join(directory, '0000000001.seg'))
  expect(() => spool.append(body(1))).toThrow(/EISDIR/)
  rmSync(join(directory, '0000000001.seg'), { recursive: true, force: true })
  spool.append(body(2))
  expect(drain(spool)).toEqual([2])
})
