import { expect, test } from 'vitest'
import { StoreUnavailable } from '../store/port.ts'
import { createLog } from './log.ts'

function capture() {
  let now = 0
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }, () => now)
  return { log, lines, wait: (ms: number) => (now += ms) }
}

const away = () => new StoreUnavailable('PostgreSQL: connect ECONNREFUSED', { cause: new Error('cause') })

test('an outage is one line without a stack, and again only after a while, with a count', () => {
  const { log, lines, wait } = capture()
  for (let n = 0; n < 500; n++) log.error({ err: away(), reqId: `r${n}` }, 'request failed')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    msg: 'request failed',
    err: 'PostgreSQL: connect ECONNREFUSED',
    reqId: 'r0',
  })
  expect(JSON.stringify(lines)).not.toContain('stack')
  wait(30_000)
  log.error({ err: away(), reqId: 'later' }, 'request failed')
  expect(lines[1]).toMatchObject({ reqId: 'later', repeated: 499 })
})

test('another message and another reason are separate lines, also for an outage reported by another thread', () => {
  const { log, lines } = capture()
  for (let n = 0; n < 10; n++) {
    log.warn({ err: away() }, 'one job failed')
    log.warn({ err: away() }, 'another job failed')
    log.warn({ err: new StoreUnavailable('disk is full') }, 'one job failed')
    log.warn({ err: { type: 'StoreUnavailable', message: 'gone', stack: 'at x' } }, 'one job failed')
  }
  expect(lines.map(({ msg, err }) => [msg, err])).toEqual([
    ['one job failed', 'PostgreSQL: connect ECONNREFUSED'],
    ['another job failed', 'PostgreSQL: connect ECONNREFUSED'],
    ['one job failed', 'disk is full'],
    ['one job failed', 'gone'],
  ])
})

test('when there are too many different reasons, new ones share a line', () => {
  const { log, lines } = capture()
  for (let n = 0; n < 5000; n++) log.warn({ err: new StoreUnavailable(`reason ${n}`) }, 'it failed')
  expect(lines.length).toBeLessThan(110)
})

test('any other error is logged each time, with its stack', () => {
  const { log, lines } = capture()
  for (let n = 0; n < 3; n++) log.error({ err: new TypeError('a mistake'), reqId: `r${n}` }, 'request failed')
  for (let n = 0; n < 3; n++) log.info('plain')
  expect(lines.map(({ msg }) => msg)).toEqual([...Array(3).fill('request failed'), ...Array(3).fill('plain')])
  expect(lines[2]).toMatchObject({ reqId: 'r2', err: { message: 'a mistake', stack: expect.any(String) } })
})
