import { expect, test } from 'vitest'
import { HttpMetrics } from './metrics.ts'
import { Readiness } from './readiness.ts'

const linesOf = async (metrics: HttpMetrics, part: string) =>
  (await metrics.write())
    .toString()
    .split('\n')
    .filter((line) => line.startsWith(part))

test('durations are counted in every bucket that includes them', async () => {
  const metrics = new HttpMetrics()
  const durations = metrics.durationsOf('GET', '/a')
  for (const seconds of [0.0005, 0.004, 0.3, 40]) durations.observe(200, seconds)
  expect(metrics.durationsOf('GET', '/a')).toBe(durations)
  const name = 'cheapside_http_request_duration_seconds'
  const lines = await linesOf(metrics, name)
  const labels = 'method="GET",route="/a",status="200"'
  const counts = lines
    .filter((line) => line.includes('_bucket'))
    .map((line) => /le="([^"]+)".* (\d+)$/.exec(line)!.slice(1).join(' '))
  expect(counts).toEqual([
    '0.0005 1',
    '0.001 1',
    '0.0025 1',
    '0.005 2',
    '0.01 2',
    '0.025 2',
    '0.05 2',
    '0.1 2',
    '0.25 2',
    '0.5 3',
    '1 3',
    '5 3',
    '30 3',
    '+Inf 4',
  ])
  expect(lines).toContain(`${name}_count{${labels}} 4`)
  expect(lines).toContain(`${name}_sum{${labels}} ${0.0005 + 0.004 + 0.3 + 40}`)
})

test('scrapes at the same time share one result', async () => {
  const metrics = new HttpMetrics()
  let read = 0
  metrics.gauge('reads', 'How often it was read.', () => ++read)
  const both = await Promise.all([metrics.write(), metrics.write()])
  expect([both[0] === both[1], read]).toEqual([true, 1])
  while (read === 1) await metrics.write().then(() => new Promise((resolve) => setTimeout(resolve, 5)))
  expect(await linesOf(metrics, 'reads')).toEqual([expect.stringMatching(/^reads \d+$/)])
})

test('a failed scrape is not cached', async () => {
  const metrics = new HttpMetrics()
  let isBroken = true
  metrics.gauge('broken', 'Fails once.', () => {
    if (isBroken) throw new Error('no figure')
    return 1
  })
  await expect(metrics.write()).rejects.toThrow('no figure')
  isBroken = false
  expect(await linesOf(metrics, 'broken')).toEqual(['broken 1'])
})

test('readiness follows the phases, its checks and the requests in progress', async () => {
  const readiness = new Readiness()
  expect(readiness.troubles()).toEqual({ service: 'starting' })
  readiness.started()
  let trouble: string | undefined = 'does not answer'
  readiness.addCheck('database', () => trouble)
  expect(readiness.troubles()).toEqual({ database: 'does not answer' })
  trouble = undefined
  expect([readiness.phase, readiness.troubles()]).toEqual(['ready', {}])
  readiness.begin()
  readiness.begin()
  const [late, done] = [readiness.drain(0), readiness.drain(1_000_000)]
  expect(await late).toBe(false)
  let isDone = false
  done.then(() => {
    isDone = true
  })
  readiness.end()
  await new Promise(setImmediate)
  expect(isDone).toBe(false)
  readiness.end()
  expect(await done).toBe(true)
  readiness.started()
  expect(readiness.phase).toBe('draining')
  expect(await readiness.drain(0)).toBe(true)
})
