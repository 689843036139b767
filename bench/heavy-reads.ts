import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hourMs } from '../src/domain/time.ts'
import { openStore } from '../src/store/open.ts'
import { ask, eventually, startService } from '../test/service.ts'
import { percentile } from './catalogue/measure.ts'
import { fillNamespaces, organisation } from './namespaces/fill.ts'

// Measures how heavy reads of one organisation slow down the others: fourteen windows of a namespace of 100,000 pods
// are requested at once, while another organisation requests /healthz all the time. The service is a separate process
// on two cores.
//   node bench/heavy-reads.ts [--pods 100000] [--days 3] [--windows 14] [--heap 1024] [--data DIRECTORY]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected. With --data the directory is
// kept and used again.

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '100000' },
    days: { type: 'string', default: '3' },
    windows: { type: 'string', default: '14' },
    heap: { type: 'string', default: '1024' },
    data: { type: 'string' },
  },
})
const [pods, days, windows] = [Number(values.pods), Number(values.days), Number(values.windows)]
const endHour = Math.floor(Date.now() / hourMs / 24) * 24

const directory = values.data ?? mkdtempSync(join(tmpdir(), 'cheapside-heavy-'))
if (values.data === undefined) process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
if (!existsSync(join(directory, 'cheapside.db'))) {
  const store = await openStore({ dataDirectory: directory })
  const startedMs = performance.now()
  await fillNamespaces(store.usage, pods, pods, { days, firstHour: endHour - days * 24 })
  await store.close()
  console.log(`${pods} pods of ${days} days written in ${seconds(performance.now() - startedMs)}`)
}

const adminKey = `csk_${'b'.repeat(12)}_${'s'.repeat(32)}`
const service = await startService({
  directory,
  withoutKey: true,
  env: {
    NODE_OPTIONS: `--max-old-space-size=${values.heap}`,
    // The same value as in the image and in the systemd unit.
    MALLOC_ARENA_MAX: '2',
    CHEAPSIDE_BOOTSTRAP_KEY: adminKey,
    CHEAPSIDE_RATE_LIMIT: '0',
    CHEAPSIDE_ADDRESS_LIMIT: '0',
  },
})
const pid = service.child.pid!
if (cpus().length > 2) execFileSync('taskset', ['-acp', '0,1', String(pid)])
let died: string | undefined
service.child.once('exit', (code, signal) => {
  died = `the service died: exit code ${code}, signal ${signal}`
})
await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
const keyOf = async (name: string): Promise<string> => {
  const body = { organisation: name, name: 'bench', scopes: ['gateway:read'] }
  return (await ask(service.url, '/admin/keys', { key: adminKey, body })).json.key
}
const key = await keyOf(organisation)
console.log(`at rest: resident ${residentMib('VmRSS')} MiB`)

await measured('nothing asked', () => [rest()])
await measured('one answer', () => [read(0)])
await measured(`${windows} windows at once`, () => Array.from({ length: windows }, (_, index) => read(index)))
if (died === undefined) await service.stop()

interface Read {
  readonly status: number
  readonly bytes: number
  readonly ms: number
  readonly firstByteMs: number
  readonly isWhole: boolean
}

async function measured(name: string, start: () => Promise<Read>[]): Promise<void> {
  if (died !== undefined) return
  const waits: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver && died === undefined) {
      const startedMs = performance.now()
      await ask(service.url, '/healthz').catch(() => undefined)
      waits.push(performance.now() - startedMs)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const startedMs = performance.now()
  const reads = await Promise.all(start())
  const ms = performance.now() - startedMs
  isOver = true
  await watching
  if (died !== undefined) {
    console.log(`${name}: ${died} after ${seconds(ms)}`)
    return
  }
  waits.sort((a, b) => a - b)
  const whole = reads.filter(({ status, isWhole }) => status === 200 && isWhole)
  const refused = reads.filter(({ status }) => status === 503)
  const [first] = whole
  console.log(
    `${name}: ${whole.length} whole, ${refused.length} refused by 503, ${reads.length - whole.length - refused.length} broken, in ${seconds(ms)}; ` +
      (first === undefined
        ? ''
        : `first of them ${(first.bytes / 1e6).toFixed(1)} MB in ${seconds(first.ms)}, first byte after ${seconds(first.firstByteMs)}; `) +
      `/healthz p50 ${seconds(percentile(waits, 50))}, p99 ${seconds(percentile(waits, 99))}, at most ${seconds(waits.at(-1)!)}; ` +
      `resident at most ${residentMib('VmHWM')} MiB`,
  )
}

/** Measures how long others wait on this machine without heavy reads. */
async function rest(): Promise<Read> {
  await new Promise((resolve) => setTimeout(resolve, 5000))
  return { status: 200, bytes: 0, ms: 5000, firstByteMs: 0, isWhole: true }
}

/** Each window begins an hour later. */
function read(index: number): Promise<Read> {
  const at = (hour: number) => encodeURIComponent(new Date(hour * hourMs).toISOString())
  const path = `/v1/namespace_recommendations?start_date=${at(endHour - days * 24 + index)}&end_date=${at(endHour)}`
  const startedMs = performance.now()
  return new Promise((resolve) => {
    let [bytes, firstByteMs, status, last] = [0, 0, 0, 0]
    const done = (isWhole: boolean) =>
      resolve({ status, bytes, ms: performance.now() - startedMs, firstByteMs, isWhole })
    request(`${service.url}${path}`, { headers: { 'x-api-key': key } }, (answer) => {
      status = answer.statusCode!
      firstByteMs = performance.now() - startedMs
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        last = chunk.at(-1)!
      })
      answer.on('end', () => done(last === 0x5d))
      answer.on('error', () => done(false))
    })
      .on('error', () => done(false))
      .end()
  })
}

function residentMib(which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)![1]) / 1024)
}

function seconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(1)} ms`
}
