import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { subjectKey } from '../domain/subject.ts'
import { interpret } from '../ingest/metrics/interpret.ts'
import { Accumulator } from '../usage/digest/accumulator.ts'
import { FakeHost } from './fake-host.case.ts'
import { eventually, listen, readRequest, type Sample } from './receiver.case.ts'
import { type AgentOptions, runAgent } from './run.ts'
import { remoteWrite } from './send/remote-write.ts'
import { SpoolInUse } from './send/spool-lock.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

function setUp() {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-agent-'))
  const host = new FakeHost()
  cleanups.push(
    () => rmSync(directory, { recursive: true, force: true }),
    () => host.remove(),
  )
  host.process(10, { pssMib: 50, rssMib: 60 })
  host.process(11, { comm: 'sh', pssMib: 1 })
  const keyFile = join(directory, 'key')
  writeFileSync(keyFile, 'good')
  const options: AgentOptions = {
    vm: 'web-1',
    job: 'watcher',
    intervalSeconds: 0.02,
    pssSeconds: 60,
    proc: host.proc,
    cgroupRoot: host.cgroupRoot,
    spool: { directory: join(directory, 'spool'), maxBytes: 1 << 22 },
    facts: { given: { provider: 'hetzner', region: 'hel1', instanceType: 'cx23' }, offline: true },
    pauses: { firstPauseMs: 5, maxPauseMs: 20, operatorPauseMs: 10 },
  }
  return { host, options, keyFile }
}

/** Starts the agent. Returns a function that ends it, its log, and the number of its measurements. */
function start(options: AgentOptions, url: string, keyFile: string) {
  const stop = new AbortController()
  const fixture = { said: [] as string[], measurements: 0 }
  const running = runAgent(options, stop.signal, {
    log: (_level, message) => fixture.said.push(message),
    deliver: remoteWrite({ url: new URL('/api/v1/write', url), keyFile, userAgent: 'test' }),
    onReading: () => {
      fixture.measurements++
    },
  })
  const end = () => {
    stop.abort()
    return running
  }
  cleanups.push(end)
  return {
    fixture,
    running,
    end,
    measured: (more: number) => eventually(measured(fixture, fixture.measurements + more)),
  }
}
const measured = (fixture: { measurements: number }, count: number) => () => fixture.measurements >= count

const cpuOf = (samples: readonly Sample[], process: string) =>
  samples.filter(
    ({ labels }) => labels.__name__ === 'cheapside_process_cpu_seconds_total' && labels.process === process,
  )

test('the server is down for a while: nothing is lost or sent twice, and the order is kept', async () => {
  const { host, options, keyFile } = setUp()
  const samples: Sample[] = []
  const take = (_request: unknown, body: Buffer) => {
    samples.push(...readRequest(body))
    return { status: 200 }
  }
  const first = await listen(take)
  const agent = start(options, first.url, keyFile)
  await agent.measured(3)
  await first.close()
  await agent.measured(5)
  host.process(10, { cpuSeconds: 2.5, pssMib: 50, rssMib: 60 })
  host.machine({ taskSeconds: 2.5 })
  await agent.measured(5)
  await agent.end()

  const second = await listen(take, first.port)
  cleanups.push(() => second.close())
  const again = start(options, second.url, keyFile)
  await again.measured(3)
  // The agent goes on measuring. All measurements until now must arrive, and none of them twice.
  const measurements = agent.fixture.measurements + again.fixture.measurements
  await eventually(() => cpuOf(samples, 'web').length >= measurements)
  await again.end()

  const cpu = cpuOf(samples, 'web')
  const times = cpu.map(({ timeMs }) => timeMs)
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  expect(Math.max(...cpu.map(({ value }) => value))).toBe(2.5)
  expect(agent.fixture.said.filter((message) => message.includes('measurements are kept'))).toHaveLength(1)
})

test('a revoked key is reported once; with the new one the waiting requests arrive', async () => {
  const { options, keyFile } = setUp()
  const samples: Sample[] = []
  const server = await listen(({ headers }, body) => {
    if (headers['x-api-key'] !== 'new') return { status: 401, body: '{"detail":"a valid API key is needed"}' }
    samples.push(...readRequest(body))
    return { status: 200 }
  })
  cleanups.push(() => server.close())
  const agent = start(options, server.url, keyFile)
  await agent.measured(8)
  writeFileSync(keyFile, 'new')
  await eventually(() => cpuOf(samples, 'web').length >= 8)
  await agent.end()
  expect(agent.fixture.said.filter((message) => message.includes('key is not accepted'))).toHaveLength(1)
})

test("the service's digests contain what was used", async () => {
  const { host, options, keyFile } = setUp()
  const samples: Sample[] = []
  const server = await listen((_request, body) => {
    samples.push(...readRequest(body))
    return { status: 200 }
  })
  cleanups.push(() => server.close())
  const agent = start({ ...options, intervalSeconds: 1.2 }, server.url, keyFile)
  await agent.measured(1)
  host.process(10, { cpuSeconds: 0.4, pssMib: 50, rssMib: 60 })
  host.process(12, { comm: 'job', cpuSeconds: 0.3, startSeconds: 1001, pssMib: 5 })
  host.machine({ taskSeconds: 0.7 })
  await agent.measured(1)
  host.end(12)
  await agent.measured(2)
  await agent.end()

  const usage = new Accumulator({ maxAgeMs: 3600_000, maxAheadMs: 600_000, maxSubjects: 100 })
  for (const { labels, timeMs, value } of samples) {
    const series = usage.register(interpret(Object.entries(labels), 'default')!)!
    usage.sample(series, timeMs, value, Date.now())
  }
  const used = (process: string) => {
    const key = subjectKey({ kind: 'process', vm: 'web-1', group: 'unknown', process, cgroup: '/' })
    return usage.subjects.get(key)!.open.reduce((sum, { digest }) => sum + digest.cpu.sum, 0) / 1e6
  }
  expect(used('web')).toBeCloseTo(0.4, 3)
  expect(used('job')).toBeCloseTo(0.3, 3)
  expect(usage.counts.out_of_order + usage.counts.duplicate).toBe(0)
})

test('an unknown cloud is reported with the flags that name it', async () => {
  const { options, keyFile } = setUp()
  const facts = { given: {}, offline: true }
  for (const [more, words] of [
    [{}, 'unless --provider, --region and --instance-type are set'],
    [{ remedy: 'a setting says' }, 'unless a setting says'],
  ] as const) {
    const agent = start({ ...options, facts, ...more }, 'http://127.0.0.1:1', keyFile)
    await agent.measured(1)
    await agent.end()
    expect(agent.fixture.said.join()).toContain(words)
  }
})

test('two agents do not share a spool', async () => {
  const { options, keyFile } = setUp()
  const server = await listen(() => ({ status: 200 }))
  cleanups.push(() => server.close())
  const spool = options.spool!.directory
  const { spawn } = await import('node:child_process')
  const other = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { lockSpool } from ${JSON.stringify(join(import.meta.dirname, 'send/spool-lock.ts'))}
     lockSpool(${JSON.stringify(spool)}); console.log('mine'); setInterval(() => {}, 1000)`,
  ])
  await new Promise((resolve) => other.stdout.once('data', resolve))
  await expect(start(options, server.url, keyFile).running).rejects.toThrow(SpoolInUse)
  cleanups.pop()
  const ended = new Promise((resolve) => other.once('exit', resolve))
  other.kill('SIGKILL')
  await ended
  const agent = start(options, server.url, keyFile)
  await agent.measured(1)
  await agent.end()
})
