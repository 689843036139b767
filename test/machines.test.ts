import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeRequest } from '../src/ingest/remote-write/encode.case.ts'
import { startPostgres, type TestPostgres } from './peers/postgres.ts'
import { testOnLinux } from './peers/test-with.ts'
import { eventually, type RunningService, runCommand, startService } from './service.ts'

// Process metrics are pushed to the real service, and its answers are checked.

const hourMs = 3_600_000
/** The start of this hour. Samples are in the three hours before. */
const end = Math.floor(Date.now() / hourMs) * hourMs
const start = end - 3 * hourMs
const window = `start_date=${new Date(start).toISOString()}&end_date=${new Date(end).toISOString()}`

interface Process {
  readonly vm: string
  readonly process: string
  readonly group: string
  readonly cgroup: string
  readonly cores: number
  readonly gib: number
  readonly hours?: number
}

const processes: readonly Process[] = [
  {
    vm: 'db-1',
    process: 'postgres',
    group: 'system',
    cgroup: '/system.slice/postgresql.service',
    cores: 0.25,
    gib: 20,
  },
  {
    vm: 'plain',
    process: 'sshd',
    group: 'system',
    cgroup: '/system.slice/ssh.service',
    cores: 0.02,
    gib: 0.5,
  },
  { vm: 'web-1', process: 'batch', group: 'docker', cgroup: '/docker/b', cores: 1, gib: 1, hours: 1 },
  {
    vm: 'web-1',
    process: 'nginx',
    group: 'system',
    cgroup: '/system.slice/nginx.service',
    cores: 0.5,
    gib: 2,
  },
]

/** Both types cost 0.01 per GiB and 0.075 per core. */
const racks = [
  { instance_type: 'rack-4', region: 'cellar', cpu_cores: 4, ram_gb: 16, cost_per_hour: 0.46 },
  { instance_type: 'rack-mem', region: 'cellar', cpu_cores: 2, ram_gb: 64, cost_per_hour: 0.79 },
]

function series(
  name: string,
  labels: Record<string, string>,
  samples: readonly (readonly [number, number])[],
) {
  return {
    labels: Object.entries({ __name__: name, ...labels }).sort(([a], [b]) => (a < b ? -1 : 1)),
    samples: samples.map(([timeMs, value]) => ({ timeMs, value })),
  }
}

/** Times with a sample every minute, including both ends. */
function processSeries({ cores, gib, hours = 3, ...labels }: Process) {
  const times = Array.from({ length: hours * 60 + 1 }, (_, minute) => minute * 60)
  const at = (read: (second: number) => number) =>
    times.map((second) => [start + second * 1000, read(second)] as const)
  return [
    series(
      'cheapside_process_cpu_seconds_total',
      labels,
      at((second) => 1000 + second * cores),
    ),
    series(
      'cheapside_process_memory_bytes',
      labels,
      at(() => gib * 2 ** 30),
    ),
  ]
}

function machineSeries(vm: string, instance_type: string, cores: number, gib: number) {
  const at = [[end - 60_000, 1]] as const
  return [
    series('cheapside_machine_info', { vm, provider: 'racks', region: 'cellar', instance_type }, at),
    series('cheapside_machine_cpu_cores', { vm }, [[end - 60_000, cores]]),
    series('cheapside_machine_memory_bytes', { vm }, [[end - 60_000, gib * 2 ** 30]]),
  ]
}

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

const faults: [query: string, pointers: string[]][] = [
  ['start_date=now', ['?start_date']],
  ['start_date=2026-01-02T00:00:00Z&end_date=2026-01-01T00:00:00Z', ['?start_date']],
  ['process_group=daemon', ['?process_group']],
  ['limit=0', ['?limit']],
  ['limit=many', ['?limit']],
  ['limit=1000000', ['?limit']],
  ['cursor=%00', ['?cursor']],
]

describe.each(['SQLite', 'PostgreSQL'])('on %s', (database) => {
  let service: RunningService
  const get = (path: string, key?: string) => service.request(path, key === undefined ? {} : { key })

  let databaseUrl: string
  beforeAll(async () => {
    databaseUrl = database === 'PostgreSQL' ? await postgres.createDatabase() : ''
    service = await startService({ env: { DATABASE_URL: databaseUrl } })
    const registered = await service.request('/marketplace/providers', {
      body: { name: 'racks', entries: racks },
    })
    expect(registered.status).toBe(200)
    const pushed = await service.request('/api/v1/write', {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
      body: encodeRequest([
        ...processes.flatMap(processSeries),
        ...machineSeries('web-1', 'rack-4', 4, 15.5),
        ...machineSeries('db-1', 'rack-mem', 2, 62),
      ]),
    })
    expect(pushed.status, pushed.text).toBe(204)
    await eventually(async () => (await get(`/v1/vm_summaries?${window}`)).json.length === 3)
  })
  afterAll(() => service?.stop())

  describe('recommendations', () => {
    test('every member of the contract, with values calculated by hand', async () => {
      const { status, json } = await get(`/v1/vm_recommendations?${window}`)
      expect(status).toBe(200)
      expect(json.map((item: Process) => [item.vm, item.process])).toEqual([
        ['db-1', 'postgres'],
        ['plain', 'sshd'],
        ['web-1', 'batch'],
        ['web-1', 'nginx'],
      ])
      const nginx = json[3]
      const { cpu, memory, creationTime, ...rest } = nginx
      expect(rest).toEqual({
        vm: 'web-1',
        process: 'nginx',
        processGroup: 'system',
        cgroup: '/system.slice/nginx.service',
        // 4 x 0.075 is more than 16 x 0.01
        costDriver: 'cpu',
        // 3 x (0.5 x 0.075 + 2 x 0.01)
        currentSpend: 0.1725,
        priceSource: 'own',
        priceDate: null,
      })
      expect(creationTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Date.parse(creationTime)).toBeGreaterThan(end)
      expect([Object.keys(cpu), Object.keys(memory)]).toEqual(
        Array(2).fill(['baseline', 'current', 'recommended']),
      )
      // 0.5 x 0.075 x 3 and 2 x 0.01 x 3
      expect(cpu.baseline).toEqual({ costInDollars: 0.1125, value: 0.5 })
      expect(cpu.current).toEqual({ costInDollars: 0.1125, value: 0.5 })
      expect(memory.baseline).toEqual({ costInDollars: 0.06, value: 2 })
      expect(memory.current).toEqual({ costInDollars: 0.06, value: 2 })
      for (const [{ value, costInDollars }, used, unitUsd] of [
        [cpu.recommended, 0.5, 0.075],
        [memory.recommended, 2, 0.01],
      ] as const) {
        expect(value).toBeGreaterThanOrEqual(used)
        expect(value).toBeLessThan(4 * used)
        expect(costInDollars).toBeCloseTo(value * unitUsd * 3, 5)
      }
    })

    test('a process that ran for one of three hours: median, no current usage, a third of its usage in the spend', async () => {
      const [batch] = (await get(`/v1/vm_recommendations?${window}&process_group=docker`)).json
      expect(batch).toMatchObject({ process: 'batch', cgroup: '/docker/b', currentSpend: 0.085 })
      expect(batch.cpu).toMatchObject({
        baseline: { value: 1, costInDollars: 0.225 },
        current: { value: 0, costInDollars: 0 },
      })
      expect(batch.memory).toMatchObject({
        baseline: { value: 1, costInDollars: 0.03 },
        current: { value: 0, costInDollars: 0 },
      })
    })

    test('memory dominates the price of a machine with much memory; an unknown machine costs base rates', async () => {
      const [postgres] = (await get(`/v1/vm_recommendations?${window}&vm=db-1`)).json
      // 3 x (0.25 x 0.075 + 20 x 0.01)
      expect(postgres).toMatchObject({ costDriver: 'memory', currentSpend: 0.65625 })
      const [sshd] = (await get(`/v1/vm_recommendations?${window}&vm=plain`)).json
      // 3 x (0.02 x 0.031611 + 0.5 x 0.004237)
      expect(sshd.currentSpend).toBeCloseTo(0.008252, 6)
      expect(sshd.costDriver).toBe('memory')
    })
  })

  describe('summaries', () => {
    test('every member of the contract and no other', async () => {
      const { json } = await get(`/v1/vm_summaries?${window}`)
      expect(json.map(({ vm }: { vm: string }) => vm)).toEqual(['db-1', 'plain', 'web-1'])
      const items = (await get(`/v1/vm_recommendations?${window}&vm=web-1`)).json
      const sum = (resource: 'cpu' | 'memory') =>
        items.reduce(
          (all: number, item: Record<string, { recommended: { value: number } }>) =>
            all + item[resource]!.recommended.value,
          0,
        )
      const web = json[2]
      expect(Object.keys(web)).toEqual([
        'vm',
        'creationTime',
        'totalCurrentCPU',
        'totalCurrentRAM',
        'totalRecommendedCPU',
        'totalRecommendedRAM',
        'expectedUtilisationCPU',
        'expectedUtilisationRAM',
      ])
      expect(web).toMatchObject({ totalCurrentCPU: 0.5, totalCurrentRAM: 2 })
      expect(web.totalRecommendedCPU).toBeCloseTo(sum('cpu'), 5)
      expect(web.totalRecommendedRAM).toBeCloseTo(sum('memory'), 5)
      // nginx ran all the time, batch for one of three hours.
      expect(web.expectedUtilisationCPU).toBeCloseTo((100 * (0.5 + 1 / 3)) / web.totalRecommendedCPU, 2)
      expect(web.expectedUtilisationRAM).toBeCloseTo((100 * (2 + 1 / 3)) / web.totalRecommendedRAM, 2)
    })

    test('with include_rehost: current cost and the cheapest replacement', async () => {
      const [db] = (await get(`/v1/vm_summaries?${window}&vm=db-1&include_rehost=true`)).json
      expect(db.idle).toBe(false)
      expect(db.rehost.currentCostPerHour).toBe(0.79)
      expect(db.rehost).toMatchObject({ anywhere: null, sameRegion: null, priceSource: 'own', confidence: 0 })
      expect(db.rehost.reasons).toEqual([expect.stringContaining('at least 24 hours are needed')])
    })
  })

  test('pages are linked', async () => {
    for (const path of ['/v1/vm_recommendations', '/v1/vm_summaries']) {
      const all = (await get(`${path}?${window}`)).json
      const paged: unknown[] = []
      let next: string | undefined = `${path}?limit=1`
      let pages = 0
      for (; next !== undefined; pages++) {
        const { json, headers, status } = await get(next)
        expect(status).toBe(200)
        paged.push(...json)
        next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      }
      expect(pages).toBe(all.length)
      const names = (items: unknown[]) => (items as Process[]).map(({ vm, process }) => [vm, process])
      expect(names(paged)).toEqual(names(all))
    }
  })

  test.each(faults)('?%s is refused', async (query, pointers) => {
    for (const path of ['/v1/vm_recommendations', '/v1/vm_summaries']) {
      const { status, json } = await get(`${path}?${query}`)
      expect(status).toBe(422)
      expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
    }
  })

  test('a key sees only its own organisation, and needs the scope', async () => {
    const issue = async (organisation: string, scopes: string[]): Promise<string> =>
      (await service.request('/admin/keys', { body: { organisation, name: 'k', scopes } })).json.key
    const other = await issue('other', ['gateway:read'])
    const narrow = await issue('default', ['pricing:read'])
    for (const path of ['/v1/vm_recommendations', '/v1/vm_summaries']) {
      expect((await get(`${path}?${window}`, other)).json).toEqual([])
      expect((await get(path, narrow)).status).toBe(403)
      expect((await service.request(path, { key: null })).status).toBe(401)
    }
  })

  test('cheapside vms prints both, with the same values', async () => {
    const env = { CHEAPSIDE_DATA: service.directory, DATABASE_URL: databaseUrl }
    const words = ['vms', '--start', new Date(start).toISOString(), '--end', new Date(end).toISOString()]
    const shown = await runCommand(words, env)
    expect(shown.code, shown.err).toBe(0)
    expect(shown.out).toMatch(/^MACHINE .*PER HOUR/)
    expect(shown.out).toMatch(/web-1 +nginx +system +0\.500/)
    const { summaries, recommendations } = JSON.parse((await runCommand([...words, '--json'], env)).out)
    expect([summaries.length, recommendations.length]).toEqual([3, 4])
    expect(recommendations[3].currentSpend).toBe(0.1725)
    const wrong = await runCommand(['vms', '--group', 'daemon'], env)
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--group must be one of')])
    const misspelt = await runCommand([...words, '--vm', 'nope'], env)
    expect(misspelt.out).toMatch(
      /^No machine named nope reported usage in this period\. Those that did: .*web-1/,
    )
    const none = await runCommand(['vms', '--organisation', 'nobody'], env)
    expect(none.out).toContain('No machine reported usage')
  })
})

/** A metadata service that answers as on an m5.large of AWS; other paths do not exist. */
const metadata: Record<string, string> = {
  '/latest/api/token': 'token',
  '/latest/dynamic/instance-identity/document': JSON.stringify({
    instanceType: 'm5.large',
    region: 'us-east-1',
  }),
  '/latest/meta-data/instance-life-cycle': 'on-demand',
}

testOnLinux(
  'the service measures the machine it runs on',
  async () => {
    const cloud = createServer((request, response) => {
      const text = metadata[request.url ?? '']
      response.writeHead(text === undefined ? 404 : 200).end(text)
    })
    await new Promise<void>((resolve) => cloud.listen(0, '127.0.0.1', resolve))
    const watching = await startService({
      env: {
        CHEAPSIDE_WATCH_SELF: 'true',
        CHEAPSIDE_METADATA_URL: `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`,
      },
    })
    try {
      const seen = await eventually(async () => {
        const [summary] = (await watching.request('/v1/vm_summaries?include_rehost=true')).json
        return summary?.totalCurrentCPU > 0 && summary
      })
      expect(seen.vm).toBe(hostname())
      expect(seen.totalCurrentRAM).toBeGreaterThan(0.05)
      const { json: price } = await watching.request('/pricing', {
        body: {
          provider: 'aws',
          region: 'us-east-1',
          instance_type: 'm5.large',
          operating_system: 'Linux',
          usage_type: 'ondemand',
        },
      })
      expect(seen.rehost.currentCostPerHour).toBe(price.cost_per_hour)
      const items = (await watching.request('/v1/vm_recommendations')).json
      expect(items.some(({ process }: Process) => process.includes('node'))).toBe(true)
    } finally {
      await watching.stop()
      cloud.close()
    }
  },
  240_000,
)
