import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { subjectKey } from '../src/domain/subject.ts'
import { openSqliteStore } from '../src/store/sqlite/store.ts'
import { emptyDigest, hourSeconds } from '../src/usage/digest.ts'
import { encodeDay } from '../src/usage/digest-codec.ts'
import { ask, eventually, startService } from '../test/service.ts'

// GET /v1/vm_summaries and /v1/vm_recommendations over 1,000 machines of 200 processes with 14 days of samples every 15
// seconds: first pages that were not asked for lately, and those that were. Words: machines, questions of each kind.

const [machines = 1000, questions = 20] = process.argv.slice(2).map(Number)
const processes = 200
const days = 14
const today = Math.floor(Date.now() / 86_400_000)
const folder = mkdtempSync(join(tmpdir(), 'cheapside-machines-'))
const key = `csk_${'b'.repeat(12)}_${'s'.repeat(43)}`

/** Deterministic, so that two runs ask about the same machines. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Of 200 processes 150 hardly do anything, 40 do a little, 10 work by day. */
function dayPack(process: number, variant: number, day: number): Uint8Array {
  const next = random(process * 1000 + variant * 100 + (day - today))
  const level = process < 150 ? 0.0005 : process < 190 ? 0.01 : 0.3
  const bytes = (process < 150 ? 4 : process < 190 ? 60 : 800) * 2 ** 20
  return encodeDay(
    Array.from({ length: 24 }, (_, hourOfDay) => {
      const hour = day * 24 + hourOfDay
      const digest = emptyDigest(hour)
      const load = process < 190 ? level : level * (1 + Math.sin((hourOfDay / 24) * 2 * Math.PI))
      const held = process < 150 ? bytes : bytes * (1 + 0.1 * next())
      for (let sample = 0; sample < 240; sample++) {
        const quiet = process < 190 && next() < 0.9
        digest.cpu.add(quiet ? 0 : Math.round(load * (0.5 + next()) * 1e6), 15)
        digest.memory.add(Math.round(process < 150 ? held : held * (1 + 0.02 * next())))
      }
      digest.samples = 480
      digest.firstAt = hour * hourSeconds
      digest.lastAt = hour * hourSeconds + 3585
      return digest
    }),
  )
}

const variants = 3
const window = Array.from({ length: days }, (_, index) => today - days + index)
const packs = Array.from({ length: processes }, (_, process) =>
  Array.from({ length: variants }, (_, variant) => window.map((day) => dayPack(process, variant, day))),
)
const mean = packs.flat(2).reduce((sum, { length }) => sum + length, 0) / (processes * variants * days)
console.log(`${mean.toFixed(0)} bytes a process and day`)

const store = await openSqliteStore({ folder })
const partition = { organisation: 'default', source: 'push' }
const epoch = await store.usage.fence(partition)
const started = performance.now()
for (let machine = 0; machine < machines; machine++) {
  const vm = `vm-${String(machine).padStart(5, '0')}`
  await store.usage.compact(
    partition,
    epoch,
    packs.flatMap((variant, process) => {
      const group = process < 120 ? 'system' : 'docker'
      const cgroup = group === 'system' ? '/' : `/docker/${process}`
      const subject = { kind: 'process', vm, group, process: `process-${process}`, cgroup } as const
      return window.map((day, index) => ({
        key: subjectKey(subject),
        day,
        bytes: variant[machine % variants]![index]!,
      }))
    }),
  )
}
await store.close()
console.log(
  `${machines} machines x ${processes} processes x ${days} days written in ${((performance.now() - started) / 1000).toFixed(0)} s; ` +
    `${(statSync(join(folder, 'cheapside.db')).size / 2 ** 20).toFixed(0)} MiB`,
)

const service = await startService({
  folder,
  env: { CHEAPSIDE_BOOTSTRAP_KEY: key, CHEAPSIDE_RATE_LIMIT: '0' },
  withoutKey: true,
})
await eventually(async () => (await ask(service.url, '/readyz')).status === 200)

async function measure(name: string, path: (question: number) => string, times = questions): Promise<void> {
  const took: number[] = []
  let items = 0
  for (let question = 0; question < times; question++) {
    const before = performance.now()
    const { json, status } = await ask(service.url, path(question), { key })
    if (status !== 200)
      throw new Error(`${status} ${JSON.stringify(json)} ${service.output.err.slice(-2000)}`)
    items = json.length
    took.push(performance.now() - before)
  }
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(share * took.length))]!.toFixed(0)
  console.log(`${name}: ${items} items, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}

process.on('exit', () => service.child.kill())

/** Windows of fourteen days that nobody asked for before. */
const anew = (question: number) => {
  const end = (today * 24 - question) * 3_600_000
  return `start_date=${new Date(end - days * 86_400_000).toISOString()}&end_date=${new Date(end).toISOString()}`
}
const summaries = (limit: number, n: number) => `/v1/vm_summaries?limit=${limit}&${anew(n)}`
const recommendations = (limit: number, n: number) => `/v1/vm_recommendations?limit=${limit}&${anew(n + 40)}`
await measure('vm_summaries, one machine, anew', (n) => `/v1/vm_summaries?vm=vm-00007&${anew(n + 80)}`)
await measure('vm_recommendations, 100 processes, anew', (n) => recommendations(100, n))
await measure('vm_recommendations, 100 processes, again', () => recommendations(100, 0))
await measure('vm_recommendations, 1000 processes, anew', (n) => recommendations(1000, n + 20))
await measure('vm_recommendations, 1000 processes, again', () => recommendations(1000, 20))
await measure('vm_summaries, 10 machines, anew', (n) => summaries(10, n))
await measure('vm_summaries, 10 machines, again', () => summaries(10, 0))
await measure('vm_summaries, 100 machines, anew', () => summaries(100, 30), 1)
await measure('vm_summaries, 100 machines, again', () => summaries(100, 30))
await service.stop()
rmSync(folder, { recursive: true, force: true })
