import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { subjectKey } from '../src/domain/subject.ts'
import { openSqliteStore } from '../src/store/sqlite/store.ts'
import { summariseDay } from '../src/usage/day/summarise-day.ts'
import { encodeDigests } from '../src/usage/digest/codec.ts'
import { emptyDigest, hourSeconds } from '../src/usage/digest/digest.ts'
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

/** 150 of 200 processes are almost idle, 40 do a little work, 10 work during the day. */
function dayPack(process: number, variant: number, day: number) {
  const next = random(process * 1000 + variant * 100 + (day - today))
  const level = process < 150 ? 0.0005 : process < 190 ? 0.01 : 0.3
  const bytes = (process < 150 ? 4 : process < 190 ? 60 : 800) * 2 ** 20
  const digests = Array.from({ length: 24 }, (_, hourOfDay) => {
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
  })
  return { bytes: encodeDigests(digests), summary: summariseDay(digests) }
}

const variants = 3
const window = Array.from({ length: days }, (_, index) => today - days + index)
const packs = Array.from({ length: processes }, (_, process) =>
  Array.from({ length: variants }, (_, variant) => window.map((day) => dayPack(process, variant, day))),
)
const meanOf = (name: 'bytes' | 'summary') =>
  (packs.flat(2).reduce((sum, pack) => sum + pack[name].length, 0) / (processes * variants * days)).toFixed(0)
console.log(`${meanOf('bytes')} bytes a process and day, its summary ${meanOf('summary')}`)

const vmOf = (machine: number) => `vm-${String(machine).padStart(5, '0')}`
const keysOf = (machine: number) =>
  packs.map((_, process) => {
    const group = process < 120 ? 'system' : 'docker'
    const cgroup = group === 'system' ? '/' : `/docker/${process}`
    return subjectKey({ kind: 'process', vm: vmOf(machine), group, process: `process-${process}`, cgroup })
  })

const started = performance.now()
const store = await openSqliteStore({ folder })
const partition = { organisation: 'default', source: 'push' }
const epoch = await store.usage.fence(partition)
for (let machine = 0; machine < Math.min(variants, machines); machine++) {
  const keys = keysOf(machine)
  const days = packs.flatMap((variant, process) =>
    window.map((day, index) => ({ key: keys[process]!, day, ...variant[machine]![index]! })),
  )
  await store.usage.compact(partition, epoch, days)
}
await store.close()
copyMachines()

/** The others are copies of the first ones, made by the database itself: two million rows would take minutes otherwise. */
function copyMachines(): void {
  const db = new DatabaseSync(join(folder, 'cheapside.db'))
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN')
  const subject = db.prepare('INSERT INTO usage_subjects (organisation, key) VALUES (?, ?) RETURNING id')
  const found = db.prepare('SELECT id FROM usage_subjects WHERE key = ?')
  const copy = db.prepare(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, bytes)
     SELECT ?, hour, partition, epoch, part, bytes FROM usage_digests WHERE subject = ?`,
  )
  const copyDays = db.prepare(
    `INSERT INTO usage_days (subject, day, partition, bytes)
     SELECT ?, day, partition, bytes FROM usage_days WHERE subject = ?`,
  )
  const models = Array.from({ length: Math.min(variants, machines) }, (_, machine) =>
    keysOf(machine).map((key) => Number(found.get(Buffer.from(key))!.id)),
  )
  for (let machine = variants; machine < machines; machine++)
    for (const [process, key] of keysOf(machine).entries()) {
      const [id, model] = [
        Number(subject.get('default', Buffer.from(key))!.id),
        models[machine % variants]![process]!,
      ]
      copy.run(id, model)
      copyDays.run(id, model)
    }
  db.exec('COMMIT')
  db.close()
}

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
  const work: number[] = []
  let items = 0
  for (let question = 0; question < times; question++) {
    const before = performance.now()
    const used = cpuSeconds()
    const { json, status } = await ask(service.url, path(question), { key })
    if (status !== 200)
      throw new Error(`${status} ${JSON.stringify(json)} ${service.output.err.slice(-2000)}`)
    items = json.length
    took.push(performance.now() - before)
    work.push((cpuSeconds() - used) * 1000)
  }
  const at = (of: number[], share: number) =>
    of.toSorted((a, b) => a - b)[Math.min(of.length - 1, Math.floor(share * of.length))]!.toFixed(0)
  console.log(
    `${name}: ${items} items, p50 ${at(took, 0.5)} ms, p99 ${at(took, 0.99)} ms; ` +
      `work of the service p50 ${at(work, 0.5)} ms, p99 ${at(work, 0.99)} ms`,
  )
}

/** CPU time of all threads of the service, in hundredths of a second. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${service.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
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
await measure('vm_summaries, 100 machines, anew', (n) => summaries(100, n + 30), 3)
await measure('vm_summaries, 100 machines, again', () => summaries(100, 30))
await service.stop()
rmSync(folder, { recursive: true, force: true })
