import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { profiles } from '../src/recommendations/containers/parse-preference.ts'
import { runCommand, smallCatalogue, startService } from './service.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-data-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const launcher = join(import.meta.dirname, '../bin/cheapside.js')
const run = (...words: string[]) => runCommand(words, { CHEAPSIDE_DATA: directory })

// An engine that is not there would be asked several times, for fifteen seconds.
const engine = createServer((_, response) => response.writeHead(400).end()).listen(0, '127.0.0.1')
await once(engine, 'listening')
const engineUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
afterAll(() => engine.close())

function file(name: string, text: string): string {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

test('keys: issue, list, rotate, revoke', async () => {
  const issued = await run(
    'keys',
    'issue',
    '--name',
    'ci',
    '--organisation',
    'acme',
    '--scope',
    'pricing:read',
  )
  expect(issued.code).toBe(0)
  expect(issued.out).toMatch(/^csk_\w{12}_\w{40}\n$/)
  const id = issued.out.split('_')[1]!
  const rotated = JSON.parse((await run('keys', 'rotate', id, '--overlap', '86400', '--json')).out)
  expect(rotated).toMatchObject({
    organisation: 'acme',
    name: 'ci',
    scopes: ['pricing:read'],
    state: 'active',
  })
  expect((await run('keys', 'rotate', id)).code).toBe(1)
  const again = await run('keys', 'rotate', rotated.id)
  expect(again.out).toMatch(/^csk_\w{12}_\w{40}\n$/)
  expect(again.err).toMatch(`The old key ${rotated.id} is valid until 2`)
  expect((await run('keys', 'revoke', rotated.id)).out).toContain('is revoked')
  const { keys } = JSON.parse((await run('keys', 'list', '--json')).out)
  expect(keys.map((key: { id: string; state: string }) => [key.id, key.state])).toEqual(
    expect.arrayContaining([
      [id, 'rotating'],
      [rotated.id, 'revoked'],
    ]),
  )
  const table = await run('keys', 'list', '--organisation', 'acme')
  expect(table.out).toMatch(/^ID {12}ORGANISATION {2}NAME {2}STATE/)
  expect(table.out.trim().split('\n')).toHaveLength(4)
  expect((await run('keys', 'list', '--organisation', 'nobody')).out).toBe('There are no keys.\n')
})

describe('exit codes and one clear line', () => {
  function check(words: string[], code: number, line: string | RegExp) {
    test(words.join(' ') || '(nothing)', async () => {
      const result = await run(...words)
      expect(result.code).toBe(code)
      expect(code === 0 ? result.out : result.err).toMatch(line)
      if (code === 2) expect(result.out).toBe('')
    })
  }
  const machine = ['recommend', '--provider', 'aws', '--region', 'us-east-1', '--type', 'm5.large']
  check([], 2, 'Usage: cheapside COMMAND')
  check(['nothing'], 2, 'unknown command "nothing"')
  check(['types'], 2, 'cheapside: types needs a subcommand: list, show\n')
  check(['keys'], 2, 'keys issue')
  check(['keys', 'issue'], 2, '--name is required')
  check(['keys', 'issue', '--nmae', 'x'], 2, /Unknown option '--nmae'/)
  check(['keys', 'issue', '--name', 'x', '--scope', 'root'], 2, '--scope must be one or more of')
  check(['keys', 'issue', '--name', 'x', '--expires', 'soon'], 2, '--expires must be a date or a time')
  check(['keys', 'issue', '--name', 'x', '--expires', '2001-01-01T00:00:00Z'], 2, 'must be in the future')
  check(['keys', 'revoke'], 2, 'ID is required')
  check(['keys', 'revoke', 'a', 'b'], 2, 'unexpected argument "b"')
  check(['keys', 'revoke', 'unknown'], 1, 'There is no key unknown.')
  check(['keys', 'rotate', 'unknown', '--overlap', 'x'], 2, '--overlap must be a number')
  check(
    ['keys', 'rotate', 'unknown', '--overlap', '-5'],
    2,
    /: --overlap must be a whole number from 0 to \d+;/,
  )
  check(['keys', 'rotate', 'unknown', '--overlap=-5'], 2, /: --overlap must be a whole number from 0 to \d+;/)
  check(['keys', 'rotate', 'unknown', '--overlap'], 2, ': --overlap needs a value;')
  check(['keys', 'issue', '--name', '-x'], 2, /^[^\n]*: --name needs a value; [^\n]* --name=-VALUE;[^\n]*\n$/)
  check([...machine, '--usage-cpu', '-1'], 2, ': --usage-cpu must not be negative;')
  check([...machine, '--target-cpu', '-.5'], 2, ': --target-cpu must be above 0 and at most 1;')
  check([...machine, '--near', 'Frankfurt', '--distance-km', '0'], 2, ': --distance-km must be above 0;')
  check([...machine, '--near', 'Atlantis'], 2, '--near')
  check([...machine, '--near', 'Frankfurt', '--distance-km', '500'], 0, /eu-|europe|germany|fsn|nbg|fra/)
  check([...machine, '--usage-type', 'barter'], 2, '--usage-type is not known; known names: ONDEMAND')
  check([...machine, '--to-type', 't99.large'], 2, /--to-type "t99.large" is not known\n.*: t\S+\.large/)
  check(
    ['recommend', '--provider', 'x', '--region', 'y', '--type', 'z', '--base-pricing'],
    2,
    'recommend: --vm-cpu with --vm-ram is required',
  )
  check(['types', 'list', '--sort', '-speed', '--limit', '1'], 0, 'COREMARK')
  check(['types', 'list', '--limit', '0'], 2, '--limit must be a whole number above 0')
  check(['types', 'list', '--limit', '1.5'], 2, '--limit must be a whole number above 0')
  check(['types', 'list', '--provider', 'asw'], 2, /--provider "asw" is not known\n.*AWS/)
  check(['types', 'list', '--generation', 'old'], 2, '--generation must be one of current, previous')
  check(['types', 'list', '--min-cores', '-1'], 2, '--min-cores must not be negative')
  check(
    ['namespaces', '--start', '2026-11-02T00:00:00Z', '--end', '2026-11-01T00:00:00Z'],
    2,
    '--start must be before --end',
  )
  const turned = ['--min-cpu', '4', '--max-cpu', '2']
  check(['namespaces', ...turned], 2, 'namespaces: --min-cpu must not be above --max-cpu\n')
  check(['sizing', 'rules', ...turned], 2, 'rules: --min-cpu must not be above --max-cpu\n')
  check(['sizing', 'rules', '--limits', 'x'], 2, 'rules: --limits must be one of none')
  check(
    ['sizing', 'rules', '--file', file('rules.json', '[{"limits":"x"}]')],
    2,
    '/rules/0/limits must be one of',
  )
  check(['types', 'list', '--region', 'us-east-9'], 2, /--region "us-east-9" is not known\n.*us-east-1/)
  const collect = ['collect', '--from', engineUrl, '--cluster', 'x', '--match']
  check([...collect, 'namespace=shop'], 2, '--match must be PromQL matchers with values in quotes')
  check([...collect, '{namespace="shop"}'], 2, '--match must be PromQL matchers')
  check(
    [...collect, `namespace="shop", env!~'a"|b',"k8s.io/x"=\`y\`,`],
    1,
    /^cheapside collect: [^\n]*400[^\n]*\n$/,
  )
  check(['keys', 'revoke', '--', '-1'], 1, 'There is no key -1.')
  check(['--version'], 0, /^\d+\.\d+\.\d+\S*\n$/)
  check(['-v'], 0, /^\d+\.\d+\.\d+\S*\n$/)
  check(['--help'], 0, 'Usage: cheapside COMMAND')
  check(['-h'], 0, 'Usage: cheapside COMMAND')
  check(['keys', '--help'], 0, 'keys rotate')
  check(['keys', '-h'], 0, 'keys rotate')
  check(['keys', 'issue', '-h'], 0, '--scope SCOPE')
  check(['--json', 'vms'], 2, 'cheapside: unknown option "--json"; options of a command follow its name\n')
  check(['nothing', '--help'], 2, 'unknown command "nothing"')
  check(['review', file('text.json', 'Plan: 1 to add')], 1, 'text.json cannot be reviewed: it is not JSON')
  check(['review', file('other.json', '{}')], 1, 'other.json cannot be reviewed: This is not what')
  const cut = file('cut.json', '{"format_version":"1.2","resource_changes":[]}')
  check(['review', '--diff', cut, cut], 1, 'The plan before has no planned_values')
  check(['review', join(directory, 'missing.json')], 1, 'missing.json cannot be read')
  check(
    ['review', file('plan.json', '{"resource_changes":[]}'), '--suggestions', '-1'],
    2,
    'a whole number from 0',
  )
  check(
    ['review', join(directory, 'plan.json'), '--max-increase', '-1'],
    2,
    '--max-increase must not be negative',
  )
  check(
    ['review', join(directory, 'plan.json'), '--region', 'aws=us-east-9'],
    2,
    /unknown region "us-east-9" of AWS.*us-east-1/,
  )
  check(['help'], 0, 'keys rotate')
  check(['help', 'settings'], 0, 'CHEAPSIDE_LISTEN, --listen')
  check(['help', 'keys', 'issue'], 0, '--scope SCOPE')
  check(['help', 'keys'], 0, 'keys list')
  check(['help', '--json'], 0, /^\{"commands":\[\{"name":"serve","summary":"Run the service",.*\n$/)
  check(['help', 'keys', 'list', '--json'], 0, /^\{"commands":\[\{"name":"keys list",.*\n$/)
  check(['help', 'settings', '--json'], 0, /^\{"settings":\{"listen":\{"env":"CHEAPSIDE_LISTEN",.*\n$/)
  check(['help', 'nothing'], 2, 'there is no command or help topic "nothing"')
  check(['serve', '--help'], 0, '--listen HOST:PORT')
  check(['namespaces', '--help'], 0, /--server URL [\s\S]*--data DIRECTORY [\s\S]*--catalogue FILE /)
})

describe('marketplace import', () => {
  const header = 'instance_type,region,cost_per_hour,cpu_cores,ram_gb\n'
  const good = 'a,r,1,2,3\nb,r,1,2,3\n'
  function check(title: string, rows: string, flags: string[], code: number, out: string, err: string[]) {
    test(`${title} ${flags.join(' ')}`, async () => {
      const csv = file(`${title}.csv`, rows)
      const result = await run('marketplace', 'import', csv, ...flags)
      expect(result).toEqual({ code, out, err: err.map((line) => `${line}\n`).join('') })
    })
  }
  const skip = ['--name', 'acme', '--skip-bad']
  const open = 'opens a quote that is not closed'
  const nothing = 'Nothing was registered.'
  check('a quote left open', `${header}${good}"c,r,1,2,3`, skip, 0, 'Registered 2 entries of acme.\n', [
    '1 invalid line of 3:',
    `line 4    ${open}`,
  ])
  check('a quote left open', `${header}${good}"c,r,1,2,3`, ['--name', 'acme'], 1, '', [
    '1 invalid line of 3:',
    `line 4    ${open}`,
    `${nothing} --skip-bad registers the valid lines.`,
  ])
  check(
    'good lines',
    `${header}${good}`,
    ['--name', 'acme', '--dry-run'],
    0,
    `Checked 2 entries of acme.\n${nothing}\n`,
    [],
  )
  check('no good line', `${header}"c,r,1,2,3`, ['--name', 'acme'], 1, '', [
    '1 invalid line of 1:',
    `line 2    ${open}`,
    nothing,
  ])
  check('a built-in name', `${header}${good}`, ['--name', 'aws'], 2, '', [
    'cheapside marketplace import: --name must not be a name of the built-in provider AWS; see cheapside marketplace import --help',
  ])
})

test('prices rules: try, set, show', async () => {
  const rules = (...words: string[]) => run('prices', 'rules', ...words, '--catalogue', smallCatalogue)
  const example = join(import.meta.dirname, '../examples/price-rules.yaml')
  expect((await rules('show')).out).toBe('No price rules are set.\n')
  expect((await rules('test', example)).out).toMatch(/^Nothing is saved\. 0 of 0 machines/)
  expect((await rules('show', '--json')).out).toContain('"rules":[]')
  const set = await rules('set', example)
  expect(set).toMatchObject({ code: 0, err: '' })
  expect(set.out).toMatch(/^AWS EDP +provider=aws usage_type=on-demand +-9% +until 2027-12-31$/m)
  expect(set.out).toMatch(/^Support +all +\+3%/m)
  expect(set.out).toContain((await rules('show')).out)
  expect(set.out).toContain('prices recount counts days again')
  const exported = ['prices', 'export', '--format', 'karpenter', '--provider', 'aws', '--region']
  expect((await run(...exported, 'us-east-1')).out).toMatch(
    /^apiVersion: karpenter[\s\S]*priceAdjustment: -6\.27%/,
  )
  expect((await run(...exported, 'mars-1')).err).toContain('--region must be a region of AWS')
  const bad = file('rules.json', '[{"name": "x", "percent_off": 5, "region": "eu-*", "provider": "nimbus"}]')
  expect((await rules('set', bad)).err).toContain('/rules/0/provider: must be one of')
  const odd = file('odd.yaml', 'rules:\n  - name: x\n    percent: 5\n')
  expect((await rules('set', odd)).err).toContain('/rules/0/percent: is not a known member')
  expect((await rules('set', file('text.yaml', 'x'))).err).toContain('a list of rules')
  expect((await rules('set', file('none.yaml', '[]'))).out).toMatch(/^No price rules are set\.\n/)
})

test('prices commitments: try and set a CSV file, show', async () => {
  const commitments = (...words: string[]) =>
    run('prices', 'commitments', ...words, '--catalogue', smallCatalogue)
  const example = join(import.meta.dirname, '../examples/commitments.csv')
  expect((await commitments('test', example)).out).toMatch(/^Nothing is saved\.\n0\.0% covered/)
  const set = await commitments('set', example)
  expect(set).toMatchObject({ code: 0, err: '' })
  expect(set.out).toMatch(/^ri-web +reserved_instance +aws +m5\.xlarge us-east-1 +10 +2027-05-31$/m)
  expect((await commitments('show')).out).toBe(set.out)
  const bad = file('bad.csv', 'name,provider,kind,from,until\nx,aws,savings_plan,2026-01-01,2025-12-31\n')
  expect((await commitments('set', bad)).err).toMatch(/0\/usd_per_hour: is required[\s\S]*0\/until: must not/)
  await commitments('set', file('no.yaml', '[]'))
})

test('prices learn: propose rules from a bill, accept them', async () => {
  const row = (type: string, usd: number) =>
    `Usage,AWS,us-east-1,$1 per On Demand Linux ${type} Instance Hour,Standard,100,${usd},USD,2026-10-01 00:00:00,Hrs`
  const names =
    'ChargeCategory,ProviderName,RegionId,ChargeDescription,PricingCategory,PricingQuantity,ContractedCost,BillingCurrency,ChargePeriodStart,PricingUnit,BilledCost'
  const bill = file('bill.csv', `${[names, row('m5.xlarge', 17.28), row('m5.2xlarge', 34.56)].join('\n')}\n`)
  const learn = (...words: string[]) => run('prices', 'learn', ...words)
  const tried = await learn(bill)
  expect(tried.out).toMatch(
    /explain 100\.0% [\s\S]*aws bill 1 of 2026-10 .* -10%[\s\S]*Nothing is saved; --accept/,
  )
  expect((await run('prices', 'rules', 'show')).out).toBe('No price rules are set.\n')
  expect((await learn(bill, '--accept')).out).toMatch(/Saved\.\n$/)
  expect((await run('prices', 'rules', 'show')).out).toContain('-10%')
  await run('prices', 'rules', 'set', file('none.yaml', '[]'))
  expect((await learn(file('no-bill.csv', 'a,b\n1,2\n'))).err).toContain('is none of FOCUS, CUR 2.0')
})

test('clusters plan: pods by hand', async () => {
  const planned = (name: string, text: string) =>
    run('clusters', 'plan', file(name, text), '--like', 'aws/us-east-1/m5.xlarge', '--here')
  const stated = await planned('hand.yaml', 'pods: [{name: web, cpu_cores: 0.5, memory_gib: 1, count: 40}]')
  expect(stated).toMatchObject({ code: 0, err: '' })
  expect(stated.out).toMatch(/^plan: 40 pods\n[\s\S]*^now +7 x m5\.xlarge/m)
  const wrong = await planned('hand.yaml', 'pods: [{name: web, cpu_cores: much, memory_gib: 1}]')
  expect(wrong.err).toContain('/pods/0/cpu_cores must be number')
})

test('the help lists each command by what it uses', async () => {
  const { out } = await run('help')
  const listed = (start: string) => new RegExp(`^${start}: (.*)\\.$`, 'm').exec(out)![1]!.split(', ')
  const server = listed('Use a running service with --server URL and a key in CHEAPSIDE_KEY')
  expect(server).toEqual(expect.arrayContaining(['recommend', 'costs', 'keys', 'catalogue show']))
  for (const word of ['agent', 'serve']) expect(server).not.toContain(word)
  expect(listed('Work offline')).toEqual(expect.arrayContaining(['types', 'inventory', 'mcp']))
  expect(listed('Use the database of this machine')).toEqual(expect.arrayContaining(['collect', 'vms']))
})

test.each([['namespaces'], ['sizing', 'set']])('the help of %s names every profile', async (...words) => {
  const { out } = await run(...words, '--help')
  const told = /Sizing profile: (.*); or a public policy/.exec(out)![1]!
  const compared = /Public policies, for comparison: (.*)\./.exec(out)![1]!
  expect(`${told}, ${compared}`.split(', ')).toEqual(profiles)
})

test('catalogue show --json is what the service answers', async () => {
  const service = await startService()
  onTestFinished(() => service.kill())
  const { json } = await service.request('/catalogue')
  expect(JSON.parse((await run('catalogue', 'show', '--json')).out)).toEqual(json)
})

test('sizing set warns of an organisation without a key', async () => {
  await run('keys', 'issue', '--name', 'x', '--organisation', 'known')
  const set = async (organisation: string) => {
    const { code, err } = await run('sizing', 'set', '--profile', 'cost', '--organisation', organisation)
    return [code, err]
  }
  expect(await set('known')).toEqual([0, ''])
  expect(await set('default')).toEqual([0, ''])
  expect(await set('knwon')).toEqual([0, expect.stringContaining('knwon has no API key yet')])
})

test('a collection that is stopped while it waits for the engine says how to continue', async () => {
  const engine = createServer((_, response) => response.writeHead(503, { connection: 'close' }).end())
  engine.listen(0, '127.0.0.1')
  await once(engine, 'listening')
  onTestFinished(() => void engine.close())
  const { port } = engine.address() as AddressInfo
  const child = spawn(
    process.execPath,
    [launcher, 'collect', '--from', `http://127.0.0.1:${port}`, '--cluster', 'x'],
    { env: { PATH: process.env.PATH, CHEAPSIDE_DATA: directory }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  // After the second answer it pauses for longer than a signal takes.
  for (let answers = 0; answers < 2; answers++) {
    const [socket] = await once(engine, 'connection')
    await once(socket, 'close')
  }
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([1, null])
  expect(err).toBe('cheapside collect: stopped; run it again to continue\n')
})

test('a collection that finds nothing says what the engine must have', async () => {
  const found = { status: 'success', data: { resultType: 'matrix', result: [] } }
  const engine = createServer((_, response) => response.end(JSON.stringify(found)))
  engine.listen(0, '127.0.0.1')
  await once(engine, 'listening')
  onTestFinished(() => void engine.close())
  const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
  const { code, out, err } = await run(
    'collect',
    '--from',
    url,
    '--cluster',
    'empty',
    '--days',
    '1',
    '--json',
  )
  expect([code, JSON.parse(out).samples]).toEqual([0, 0])
  expect(err).toMatch(`${url} has no usage of containers or processes in this period: it must scrape`)
})

test('a reader that closes the pipe early does not change how a command ends', async () => {
  const plan = join(import.meta.dirname, '../examples/terraform/plan.json')
  const child = spawn(process.execPath, [launcher, 'review', plan, '--max-increase', '1'], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  expect(await once(child, 'close')).toEqual([3, null])
  expect(err).toMatch(/^cheapside review: the monthly cost would rise [^\n]*\n$/)
})

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is reported in one line', () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const { status, stderr } = spawnSync(process.execPath, [launcher, 'help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^cheapside: the output cannot be written: ENOSPC[^\n]*\n$/)
})

test('secrets are not flags', async () => {
  const { out } = await run('serve', '--help')
  expect(out).not.toMatch(/database-url|bootstrap-key/)
})

test.each([
  [['--headroom', '2'], '--headroom must be from 0 to 0.9'],
  [['--like', 'aws/us-east-1/m5.2xlrge'], 'The catalogue has no type "m5.2xlrge" of AWS'],
])('a plan of nodes with %j is refused', async (words, text) => {
  const file = join(directory, 'pods.json')
  const resources = { requests: { cpu: '1', memory: '1Gi' } }
  const template = { spec: { containers: [{ name: 'app', resources }] } }
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 3, template },
  }
  writeFileSync(file, JSON.stringify(object))
  const { code, err } = await run('clusters', 'plan', file, '--like', 'aws/us-east-1/m5.xlarge', ...words)
  expect([code === 0, err]).toEqual([false, expect.stringContaining(text)])
})
