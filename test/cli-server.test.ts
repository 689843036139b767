import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { priceAges } from '../src/cli/commands/service/doctor.ts'
import { commands } from '../src/commands.ts'
import { containerSeries, hourMs, push } from './pushed-cluster.ts'
import { eventually, type RunningService, runCommand, startService } from './service.ts'

// The command line with a running service. No command may use a database of this machine.

const directory = mkdtempSync(join(tmpdir(), 'cheapside-remote-'))
const nowhere = join(directory, 'never-made')
let service: RunningService

beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
})

const run = (...words: string[]) =>
  runCommand(words, {
    CHEAPSIDE_DATA: nowhere,
    CHEAPSIDE_SERVER: service.url,
    CHEAPSIDE_KEY: service.key,
  })

test('keys', async () => {
  const issued = JSON.parse((await run('keys', 'issue', '--name', 'ci', '--json')).out)
  expect(issued).toMatchObject({ organisation: 'default', name: 'ci', state: 'active' })
  const rotated = await run('keys', 'rotate', issued.id, '--overlap', '60')
  expect(rotated.out).toMatch(/^csk_\w{12}_\w{40}\n$/)
  expect(rotated.err).toMatch(`The old key ${issued.id} is valid until 2`)
  expect((await run('keys', 'rotate', issued.id, '--overlap=-1')).err).toContain('--overlap must be')
  expect((await run('keys', 'revoke', issued.id)).out).toContain('is revoked')
  expect((await run('keys', 'list')).out).toMatch(new RegExp(`^${issued.id} .* revoked `, 'm'))
})

test('a key that the service does not accept, and a service without TLS', async () => {
  const CHEAPSIDE_KEY = `csk_${'a'.repeat(12)}_${'a'.repeat(40)}`
  const vms = (server: string) => runCommand(['vms', '--server', server], { CHEAPSIDE_KEY })
  expect(await vms(service.url)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/does not accept the key in CHEAPSIDE_KEY: [^\n]*\n$/),
  })
  const url = service.url.replace('http:', 'https:')
  expect((await vms(url)).err).toBe(
    `cheapside vms: ${url} cannot be reached: it does not use TLS; try http://\n`,
  )
})

test('inventories and reviews follow the price rules and commitments of the organisation', async () => {
  const fixture = join(import.meta.dirname, 'inventory/aws-describe-instances.json')
  const imported = async () => JSON.parse((await run('inventory', 'import', fixture, '--json')).out)
  const plan = join(directory, 'plan.json')
  const after = { instance_type: 'm5.large', availability_zone: 'eu-west-1a' }
  const change = { actions: ['create'], before: null, after }
  const resource = { address: 'aws_instance.db', type: 'aws_instance', name: 'db', mode: 'managed', change }
  writeFileSync(plan, JSON.stringify({ format_version: '1.2', resource_changes: [resource] }))
  const listed = await imported()
  const [rules, commitments] = [join(directory, 'rules.json'), join(directory, 'commitments.csv')]
  writeFileSync(rules, JSON.stringify({ rules: [{ name: 'EDP', provider: 'aws', percent_off: 50 }] }))
  writeFileSync(
    commitments,
    'name,provider,kind,usd_per_hour,from,until\nplan,aws,savings_plan,1,2026-01-01,2099-12-31\n',
  )
  for (const words of [
    ['rules', 'set', rules],
    ['commitments', 'set', commitments],
  ])
    expect(await run('prices', ...words)).toMatchObject({ code: 0 })
  try {
    const ruled = await imported()
    expect(ruled.totals.cost_per_month).toBeCloseTo(listed.totals.cost_per_month / 2, 0)
    expect(ruled.machines[0]).toMatchObject({
      current: { price: { price_source: 'rule', price_rules: ['EDP'] } },
      notes: expect.arrayContaining([
        expect.stringContaining('Your commitments may cover this machine: plan'),
      ]),
    })
    const review = JSON.parse((await run('review', plan, '--json')).out)
    expect(review.changes[0]).toMatchObject({
      after: { machines: [{ cost_per_hour: 0.0535, price_source: 'rule', price_rules: ['EDP'] }] },
      notes: expect.arrayContaining([
        expect.stringContaining('Your commitments may cover this machine: plan'),
      ]),
    })
    expect((await run('review', plan)).out).toContain('Price rules applied: EDP.')
  } finally {
    for (const file of [rules, commitments]) writeFileSync(file, '[]')
    await run('prices', 'rules', 'set', rules)
    await run('prices', 'commitments', 'set', commitments)
  }
})

test('own prices, and a recommendation that uses them', async () => {
  const file = join(directory, 'prices.csv')
  writeFileSync(
    file,
    'provider,instance_type,region,cost_per_hour,cpu_cores,ram_gb\nracks,rack-8,basement,0.001,8,32\n',
  )
  expect((await run('marketplace', 'import', file)).code).toBe(0)
  expect((await run('marketplace', 'list')).out).toContain('racks')
  const machine = ['--provider', 'aws', '--region', 'us-east-1', '--type', 'm5.xlarge']
  const told = await run('recommend', ...machine, '--to-provider', 'racks')
  expect(told.out).toContain('rack-8')
  expect(told.out).toMatch(/^Now: m5\.xlarge at AWS us-east-1/)
  const answer = JSON.parse((await run('recommend', ...machine, '--to-provider', 'racks', '--json')).out)
  expect(JSON.stringify(answer.options)).toContain('rack-8')
  const unknown = await run('recommend', '--provider', 'racks', '--region', 'basement', '--type', 'rack-8')
  expect(unknown.err).toContain('needs --vm-cpu and --vm-ram')
  expect((await run('marketplace', 'remove', 'racks')).out).toContain('with 1 prices')
})

test('sizes, their manifests and profile', async () => {
  const toMs = Math.floor(Date.now() / hourMs) * hourMs
  const web = { pod: 'web-1', cores: 0.1, gib: 0.2, requests: { cpu: 2, memoryGib: 4 } }
  await push(service, service.key, containerSeries(web, { fromMs: toMs - 10 * hourMs, toMs }))
  await eventually(async () => JSON.parse((await run('namespaces', '--json')).out).length > 0)
  expect(JSON.parse((await run('sizing', 'set', '--profile', 'safe', '--json')).out)).toMatchObject({
    organisation: 'default',
    profile: 'safe',
  })
  expect((await run('sizing', 'show')).out).toContain('the safe profile')
  const out = join(directory, 'manifests')
  const told = await run('namespaces', '--explain', '--manifests', out)
  expect(told).toMatchObject({ code: 0 })
  expect(told.out).toMatch(/^CLUSTER +NAMESPACE/)
  const [cluster] = readdirSync(out)
  const [namespace] = readdirSync(join(out, cluster!))
  expect(readdirSync(join(out, cluster!, namespace!))).toContain('patch.yaml')
  expect((await run('namespaces', '--organisation', 'acme')).err).toContain(
    '--organisation cannot be used with a service',
  )
  expect((await run('namespaces', '--profile', 'daring')).err).toContain('--profile must be')
})

test('doctor has a verdict for each part, and fails with what does not work', async () => {
  const found = JSON.parse((await run('doctor', '--json')).out) as { check: string; verdict: string }[]
  const verdictOf = (check: string) => found.find((finding) => finding.check === check)?.verdict
  expect([verdictOf('server'), verdictOf('database')]).toEqual(['ok', 'ok'])
  expect(verdictOf('cluster c1')).toBe('warning')
  const days = { oldest_day: '2025-04-05', newest_day: '2026-08-22' }
  const aged = [
    { ...days, provider: 'AWS' },
    { provider: 'DigitalOcean', oldest_day: '2025-08-23', newest_day: '2025-08-23' },
  ]
  expect(priceAges(aged, Date.parse('2026-09-01'))).toEqual({
    verdict: 'warning',
    text: expect.stringMatching(
      /^oldest of 2025-04-05, newest of 2026-08-22; .*: DigitalOcean 374 days\. Renew/,
    ),
  })
  expect(priceAges(aged.slice(0, 1), Date.parse('2026-09-01')).verdict).toBe('ok')
  expect(await run('doctor', '--server', 'http://127.0.0.1:1')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^failed +server +http:\/\/127.0.0.1:1 cannot be reached/m),
  })
  const engine = createServer((request, response) => {
    const data = request.url!.includes('__name__') ? ['container_cpu_usage_seconds_total'] : []
    response.end(JSON.stringify({ status: 'success', data }))
  }).listen(0, '127.0.0.1')
  await once(engine, 'listening')
  const from = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
  const { code, out } = await run('doctor', '--from', from)
  engine.close()
  expect(code).toBe(1)
  expect(out).toContain('it answers, with 1 metrics')
  expect(out).toMatch(/^failed +engine .*no kube_pod_container_resource_requests: requests/m)
  expect(out).toContain('no cluster label: give collect the name with --cluster')
})

test('instance types, with own prices', async () => {
  const file = join(directory, 'types.csv')
  writeFileSync(
    file,
    'provider,instance_type,region,cost_per_hour,cpu_cores,ram_gb\nracks,rack-9,basement,0.002,9,36\n',
  )
  expect((await run('marketplace', 'import', file)).code).toBe(0)
  expect((await run('types', 'list', '--name', 'rack-9')).out).toContain('rack-9')
  expect(
    JSON.parse((await run('types', 'list', '--provider', 'aws', '--limit', '3', '--json')).out),
  ).toHaveLength(3)
  expect((await run('types', 'list', '--sort', 'beauty')).err).toContain('--sort must be')
  expect((await run('types', 'show', 'm5.xlarge')).out).toContain('m5.xlarge')
  expect((await run('types', 'show', 'm5.xlarge', '--provider', 'aws', '--region', 'us-east-1')).code).toBe(0)
  expect(await run('types', 'show', 'm5.nothing')).toMatchObject({
    code: 1,
    err: expect.stringContaining('The service has no type "m5.nothing"'),
  })
})

test('machines and the catalogue', async () => {
  expect(JSON.parse((await run('vms', '--json')).out)).toMatchObject({ recommendations: [] })
  expect((await run('vms', '--group', 'nobody')).err).toContain('--group must be')
  const { out } = await run('catalogue', 'show')
  expect(out).toMatch(/^Catalogue [0-9a-f]{16}, built/)
  expect(out).toMatch(/^aws +\d+ +\d+ +\d+ +[\d-]+ +[\d-]+ +\d+ +\d+ +\d+$/m)
  expect(out).toBe((await runCommand(['catalogue', 'show'])).out)
  expect(out).toMatch(/quarantined as implausible:\n[\s\S]*\nSources:\n {2}aws: /)
})

test('every command that uses the database also uses a service, and help says what a command works on', async () => {
  const onlyHere = ['serve', 'backup', 'restore']
  const onData = commands.filter(
    ({ name, settings }) => !onlyHere.includes(name) && settings?.includes('data'),
  )
  expect(onData.length).toBeGreaterThan(10)
  for (const { name, settings } of onData)
    expect([name, settings]).toEqual([name, expect.arrayContaining(['server'])])
  expect((await run('collect', '--help')).out).toMatch(
    /With --server .* calls that service.* otherwise it uses the database/,
  )
  expect((await run('recommend', '--help')).out).toMatch(
    /With --server .* calls that service.* otherwise it works offline/,
  )
  expect((await run('catalogue', 'diff', '--help')).out).toContain('It works offline.')
  const table = readFileSync(join(import.meta.dirname, '../docs/operations/reference.md'), 'utf8')
  const inTable = table.split('## What commands work on')[1]!.split('\n## ')[0]!
  for (const { name } of commands.filter(({ name }) => name !== 'serve' && name !== 'help'))
    for (const word of name.split(' ')) expect(inTable, name).toMatch(new RegExp(`[\`\\s]${word}[\`\\s]`))
})

test('amounts are shown in euro, at the rate of the service', async () => {
  const ask = async (query: string) =>
    service.request(`/v1/comparisons${query}`, {
      key: service.key,
      body: { provider: 'aws', region: 'us-east-1', instance_type: 'm5.large' },
    })
  const { from, rate, day } = (await service.request('/catalogue', { key: service.key })).json.exchange
  const [dollars, euro] = [await ask(''), await ask(`?currency=${from.toLowerCase()}`)]
  expect(euro.json.current.cost_per_hour).toBeCloseTo(dollars.json.current.cost_per_hour / rate, 6)
  expect(euro.headers.get('cheapside-exchange')).toBe(`currency="EUR", usd=${rate}, day="${day}"`)
  expect((await ask('?currency=XYZ')).status).toBe(422)
  const recommend = ['recommend', '--provider', 'aws', '--region', 'us-east-1', '--type', 'm5.large']
  const { out } = await run(...recommend, '--currency', 'EUR')
  expect(out).toContain(`1 EUR is ${rate} US dollars, of ${day}.`)
  expect(out).toContain(`€${euro.json.current.cost_per_hour} an hour`)
  expect(out).not.toMatch(/\$\d/)
  expect(await run(...recommend, '--currency', 'XYZ')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--currency must be USD or EUR'),
  })
})

test('a wrong server or key is reported', async () => {
  const ask = (env: Record<string, string>) => runCommand(['keys', 'list'], env)
  const server = { CHEAPSIDE_SERVER: service.url }
  expect(await ask(server)).toMatchObject({
    code: 2,
    err: expect.stringContaining('CHEAPSIDE_KEY must contain'),
  })
  expect(await ask({ ...server, CHEAPSIDE_KEY: `csk_${'a'.repeat(12)}_${'b'.repeat(40)}` })).toMatchObject({
    code: 1,
  })
  expect((await ask({ CHEAPSIDE_SERVER: 'http://127.0.0.1:1', CHEAPSIDE_KEY: service.key })).err).toMatch(
    /^cheapside keys list: http:\/\/127\.0\.0\.1:1 cannot be reached: [^\n]+\n$/,
  )
  expect((await ask({ CHEAPSIDE_SERVER: 'cheapside' })).err).toContain('must be the address of a service')
  expect(existsSync(nowhere)).toBe(false)
})
