import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { subjectKey } from '../../src/domain/subject.ts'
import { hourSeconds } from '../../src/domain/time.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { summariseDay } from '../../src/usage/day/summarise-day.ts'
import { encodeDigests } from '../../src/usage/digest/codec.ts'
import { emptyDigest } from '../../src/usage/digest/digest.ts'

export const processesPerMachine = 200
const variants = 3
const today = Math.floor(Date.now() / 86_400_000)

/**
 * Writes machines of 200 processes, with samples every 15 seconds on the days up to today, to the embedded database in
 * a directory.
 */
export async function fillMachines(
  directory: string,
  machines: number,
  days: number,
  organisation: string,
): Promise<void> {
  const window = Array.from({ length: days }, (_, index) => today - days + index)
  const packs = Array.from({ length: processesPerMachine }, (_, process) =>
    Array.from({ length: variants }, (_, variant) => window.map((day) => dayPack(process, variant, day))),
  )
  const meanOf = (name: 'bytes' | 'summary') => {
    const sizes = packs.flat(2).map((pack) => pack[name].length)
    return (sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toFixed(0)
  }
  console.log(`${meanOf('bytes')} bytes a process and day, its summary ${meanOf('summary')}`)
  const store = await openSqliteStore({ directory })
  const partition = { organisation, source: 'push' }
  const epoch = await store.usage.fence(partition)
  for (let machine = 0; machine < Math.min(variants, machines); machine++) {
    const keys = keysOf(machine)
    const days = packs.flatMap((variant, process) =>
      window.map((day, index) => ({ key: keys[process]!, day, ...variant[machine]![index]! })),
    )
    await store.usage.compact(partition, epoch, days)
  }
  await store.close()
  copyMachines(directory, machines, organisation)
}

const vmOf = (machine: number) => `vm-${String(machine).padStart(5, '0')}`
const keysOf = (machine: number) =>
  Array.from({ length: processesPerMachine }, (_, process) => {
    const group = process < 120 ? 'system' : 'docker'
    const cgroup = group === 'system' ? '/' : `/docker/${process}`
    return subjectKey({ kind: 'process', vm: vmOf(machine), group, process: `process-${process}`, cgroup })
  })

/**
 * The remaining machines are copied from the first ones by the database itself; writing two million rows would take
 * minutes.
 */
function copyMachines(directory: string, machines: number, organisation: string): void {
  const db = new DatabaseSync(join(directory, 'cheapside.db'))
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN')
  const subject = db.prepare('INSERT INTO usage_subjects (organisation, key) VALUES (?, ?) RETURNING id')
  const found = db.prepare('SELECT id FROM usage_subjects WHERE organisation = ? AND key = ?')
  const copy = db.prepare(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, bytes)
     SELECT ?, hour, partition, epoch, part, bytes FROM usage_digests WHERE subject = ?`,
  )
  const copyDays = db.prepare(
    `INSERT INTO usage_days (subject, day, partition, bytes)
     SELECT ?, day, partition, bytes FROM usage_days WHERE subject = ?`,
  )
  const originals = Array.from({ length: Math.min(variants, machines) }, (_, machine) =>
    keysOf(machine).map((key) => Number(found.get(organisation, Buffer.from(key))!.id)),
  )
  for (let machine = variants; machine < machines; machine++)
    for (const [process, key] of keysOf(machine).entries()) {
      const [id, model] = [
        Number(subject.get(organisation, Buffer.from(key))!.id),
        originals[machine % variants]![process]!,
      ]
      copy.run(id, model)
      copyDays.run(id, model)
    }
  db.exec('COMMIT')
  db.close()
}

/** Deterministic, so that two runs use the same machines. */
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
