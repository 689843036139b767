import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { debianPath } from '../peers/debian-binary.ts'
import { startOwnPostgres } from '../peers/postgres.ts'
import { containerSeries, hourMs, nodeSeries, push, seriesOf } from '../pushed-cluster.ts'
import { eventually, type RunningService, startService } from '../service.ts'

// Writes what release 0.2.0 leaves behind: its data directory, a dump of its PostgreSQL, and what it answered.
//   git worktree add ../v0.2.0 1602e2fe && (cd ../v0.2.0 && npm ci)
//   node test/upgrade/make-fixture.ts ../v0.2.0

const release = process.argv[2]
if (release === undefined) throw new Error('Which checkout of 0.2.0? See the comment of this file.')
const launcher = join(release, 'bin/cheapside.js')
const fixture = (name: string) => join(import.meta.dirname, `v0.2.0-${name}`)

// Whole days, so that some are closed and one is open.
const toMs = Math.floor(Date.now() / hourMs) * hourMs
const fromMs = toMs - 46 * hourMs
const window = `start_date=${new Date(fromMs).toISOString()}&end_date=${new Date(toMs).toISOString()}`

const processSeries = ['postgres', 'backup'].flatMap((process, i) => {
  const labels = { vm: 'db-1', process, group: 'system', cgroup: `/system.slice/${process}.service` }
  const samples = (value: (step: number) => number) =>
    Array.from({ length: 552 }, (_, step) => ({ timeMs: fromMs + step * 300_000, value: value(step) }))
  return [
    seriesOf(
      'cheapside_process_cpu_seconds_total',
      labels,
      samples((step) => step * 60 * (i + 1)),
    ),
    seriesOf(
      'cheapside_process_memory_bytes',
      labels,
      samples(() => 2 ** (29 + i)),
    ),
  ]
})

const cluster = (from: number, to: number) => [
  ...nodeSeries({ name: 'n1', cores: 8, gib: 32 }, to),
  ...['web-1', 'web-2'].flatMap((pod) =>
    containerSeries(
      { pod, cores: 0.5, gib: 1, requests: { cpu: 2, memoryGib: 4 }, limits: { cpu: 4, memoryGib: 4 } },
      { fromMs: from, toMs: to },
    ),
  ),
]

/** Uses every kind of state, and kills the service while its newest samples are only in the journal. */
async function fill(service: RunningService): Promise<unknown> {
  const send = async (path: string, body: unknown, method = 'POST') => {
    const answer = await service.request(path, { body, method })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
    return answer.json
  }
  const issued = await send('/admin/keys', {
    organisation: 'acme',
    name: 'reader',
    scopes: ['pricing:read', 'gateway:read'],
  })
  await send('/marketplace/providers', {
    name: 'our-racks',
    entries: [{ instance_type: 'rack-8', region: 'basement', cost_per_hour: 0.04, cpu_cores: 8, ram_gb: 32 }],
  })
  await send('/admin/organisations/default/sizing_profile', { profile: 'safe' }, 'PUT')
  await push(service, service.key, [...cluster(fromMs, toMs), ...processSeries])
  const answers = await eventually(async () => {
    const read = async (path: string) => (await service.request(`${path}?${window}`)).json
    const [namespaces, machines] = [
      await read('/v1/namespace_recommendations'),
      await read('/v1/vm_summaries'),
    ]
    return namespaces.length === 1 && machines.length === 1 && { namespaces, machines }
  })
  await push(
    service,
    service.key,
    containerSeries(
      { pod: 'late-1', owner: 'Deployment/late', cores: 1, gib: 1 },
      { fromMs: toMs - hourMs, toMs },
    ),
  )
  await service.kill()
  return { window, key: service.key, otherKey: issued.key, answers }
}

const env = { CHEAPSIDE_WATCH_SELF: 'false' }
const directory = mkdtempSync(join(tmpdir(), 'cheapside-v0.2.0-'))
const postgres = await startOwnPostgres({ release: 'debian-15' })
try {
  const embedded = await fill(await startService({ launcher, directory, env }))
  execFileSync('tar', ['-czf', fixture('data.tar.gz'), '-C', directory, '.'])
  const database = await postgres.createDatabase()
  const shared = await fill(await startService({ launcher, env: { ...env, DATABASE_URL: database } }))
  const dump = debianPath('usr/lib/postgresql/15/bin/pg_dump', 'postgresql-client-15')
  // Statements that any client can run.
  const sql = execFileSync(
    dump,
    ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', database],
    {
      maxBuffer: 2 ** 30,
    },
  )
  writeFileSync(fixture('postgres.sql.gz'), gzipSync(sql, { level: 9 }))
  writeFileSync(fixture('answers.json'), `${JSON.stringify({ embedded, shared }, null, 2)}\n`)
} finally {
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}
