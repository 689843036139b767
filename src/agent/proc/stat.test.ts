import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newStat, parseStat } from './stat.ts'

/** A line that the kernel wrote for a real process. */
const line = (comm: Uint8Array, flags = 4194560): Buffer =>
  Buffer.concat([
    Buffer.from('4242 ('),
    comm,
    Buffer.from(
      `) S 1 4242 4242 0 -1 ${flags} 1093 88 4 0 131 57 11 7 20 0 3 0 271206 738197504 4567 18446744073709551615 1 1 0 0 0 0\n`,
    ),
  ])

function check(comm: Uint8Array) {
  const bytes = line(comm)
  const stat = newStat()
  expect(parseStat(bytes, bytes.length, stat)).toBe(true)
  expect(stat).toEqual({
    comm: Buffer.from(comm).toString('latin1'),
    kernelThread: false,
    cpuTicks: 188,
    startTicks: 271206,
    rssPages: 4567,
  })
}

describe('/proc/<pid>/stat', () => {
  test.each([
    ['plain', 'nginx'],
    ['brackets', '(sd-pam)'],
    ['a bracket that seems to end it', 'a) R 1 2 3'],
    ['blanks', 'tmux: server'],
    ['a line end', 'two\nlines'],
    ['nothing', ''],
    ['a path', 'kworker/u8:2-ev'],
  ])('%s', (_what, comm) => check(Buffer.from(comm)))

  test('bytes that are not UTF-8', () => check(Buffer.from([0xff, 0xfe, 0x80, 0x28, 0x29, 0xc3])))

  test('a name of any fifteen bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 15, min: 1 }), (comm) => check(comm)))
  })

  test('kernel threads are recognised by their flag', () => {
    const bytes = line(Buffer.from('kthreadd'), 2129984)
    const stat = newStat()
    expect(parseStat(bytes, bytes.length, stat) && stat.kernelThread).toBe(true)
  })

  test('a truncated line is rejected', () => {
    const whole = line(Buffer.from('nginx'))
    const rss = whole.indexOf('4567')
    for (let length = 0; length < rss; length++) expect(parseStat(whole, length, newStat())).toBe(false)
  })
})
