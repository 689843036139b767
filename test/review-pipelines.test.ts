import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeService, startFakeService } from '../src/cli/pull-request/fake-service.case.ts'
import { inputsOf, jobOf, type Step, stepsOf } from './pipeline-file.ts'

// Runs the steps of action.yml and the script of the GitLab template in a shell, against simulated servers of the two APIs.

const root = join(import.meta.dirname, '..')
const cli = join(root, 'bin/cheapside.js')
let directory: string
let service: FakeService

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cheapside-pipeline-'))
  writeFileSync(join(directory, 'plan.json'), JSON.stringify(plan))
  mkdirSync(join(directory, 'infra/modules/site'), { recursive: true })
  writeFileSync(join(directory, 'infra/main.tf'), mainFile)
  writeFileSync(join(directory, 'infra/modules/site/site.tf'), siteFile)
})
afterEach(async () => {
  await service.close()
  rmSync(directory, { recursive: true })
})

const created = (address: string, type: string, name: string, after: object) => ({
  address,
  type,
  name,
  mode: 'managed',
  change: { actions: ['create'], before: null, after },
})
const plan = {
  format_version: '1.2',
  resource_changes: [
    created('aws_instance.web', 'aws_instance', 'web', { instance_type: 'm5.xlarge' }),
    {
      ...created('module.site[0].aws_instance.app', 'aws_instance', 'app', { instance_type: 'm5.large' }),
      module_address: 'module.site[0]',
    },
    created('aws_db_instance.db', 'aws_db_instance', 'db', {}),
  ],
  configuration: { root_module: { module_calls: { site: { source: './modules/site', module: {} } } } },
}
const mainFile = `resource "aws_vpc" "main" {
}

resource "aws_instance" "web" {
  ami           = "ami-1"
  instance_type = "m5.xlarge"
}

resource "aws_db_instance" "db" {
}
`
const siteFile = `resource "aws_instance" "app" {
  instance_type = var.type
}
`

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function runScript(script: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const given = { PATH: process.env.PATH!, HOME: directory, ...env }
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-e', '-o', 'pipefail', '-c', script],
      { cwd: directory, env: given },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

describe('the GitHub action', () => {
  const action = readFileSync(join(root, 'action.yml'), 'utf8')
  const steps = stepsOf(action)
  const file = (name: string) => join(directory, name)

  async function run(inputs: Record<string, string>, runner: Record<string, string> = {}): Promise<Ended> {
    const values = { ...inputsOf(action), plans: 'plan.json', token: 'secret', source: 'infra', ...inputs }
    const event = { pull_request: { number: 7 } }
    for (const [name, text] of Object.entries({ event: JSON.stringify(event), summary: '', output: '' }))
      writeFileSync(file(name), text)
    const environment = {
      GITHUB_REPOSITORY: 'acme/infra',
      GITHUB_EVENT_PATH: file('event'),
      GITHUB_API_URL: service.url,
      GITHUB_STEP_SUMMARY: file('summary'),
      GITHUB_OUTPUT: file('output'),
      ...runner,
    }
    let ended: Ended = { code: 0, out: '', err: '' }
    for (const { env, script } of steps) {
      ended = await runScript(script, { ...environment, ...evaluated(env, values) })
      if (ended.code !== 0) break
    }
    return ended
  }

  const evaluated = (env: Step['env'], inputs: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        value
          .replace(/\$\{\{ github\.action_path \}\}/, root)
          .replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input) => inputs[input]!),
      ]),
    )

  test('keeps one comment, writes summary, outputs and annotations, and fails the pipeline above the limit', async () => {
    service = await startFakeService('github', 'secret')
    const first = await run({ regions: 'aws=us-east-1', 'max-increase': '1000' })
    expect(first.code, first.err).toBe(3)
    expect(first.err).toContain('1 resource has no price and could raise the cost')
    expect(first.err).toMatch(
      /::notice file=infra\/main\.tf,line=6,title=\+\$\d+\.\d\d a month::aws_instance\.web: new m5\.xlarge AWS us-east-1/,
    )
    expect(first.err).toContain('::notice file=infra/modules/site/site.tf,line=1,')
    expect(first.err).toContain('::warning file=infra/main.tf,line=9,title=No price::aws_db_instance.db')
    const second = await run({ regions: 'aws=us-east-1', 'max-increase': '1000', 'allow-unpriced': 'true' })
    expect(second.code, second.err).toBe(0)
    expect(service.comments).toHaveLength(1)
    expect(service.comments[0]!.body).toMatch(/^<!-- cheapside-review default -->\n### Cheapside: \+\$/)
    expect(service.comments[0]!.body).not.toContain('Check failed')
    expect(readFileSync(file('summary'), 'utf8')).toContain('aws_db_instance.db')
    const outputs = Object.fromEntries(
      readFileSync(file('output'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    )
    expect(outputs).toMatchObject({ 'before-per-month': '0', unpriced: '1', unknown: '0', held: 'false' })
    expect(Number(outputs['difference-per-month'])).toBeGreaterThan(0)
    for (const name of Object.keys(outputs)) expect(action).toContain(`steps.review.outputs.${name} }}`)
  })

  test('reviews a pull request from a fork without a comment', async () => {
    service = await startFakeService('github', 'secret')
    service.faults.push({ method: 'POST', status: 403 })
    const { code, err } = await run({ regions: 'aws=us-east-1' })
    expect(code, err).toBe(0)
    expect(err).toContain('no comment was written, because the token may not write one')
    expect(service.comments).toEqual([])
  })

  test('uses the region of the runner, and sends nothing if no comment is wanted', async () => {
    service = await startFakeService('github', 'secret')
    const { code, out, err } = await run(
      { comment: 'false', 'fail-on-unpriced': 'true' },
      { AWS_REGION: 'eu-west-1' },
    )
    expect(code, err).toBe(3)
    expect(out).toContain('m5.xlarge AWS eu-west-1')
    expect(service.requests).toEqual([])
  })
})

test('the GitLab template keeps one note and fails the pipeline above the limit', async () => {
  service = await startFakeService('gitlab', 'secret')
  const { env, script } = jobOf(readFileSync(join(root, 'deploy/gitlab/cheapside-review.yml'), 'utf8'))
  const run = (variables: Record<string, string>) =>
    runScript(script, {
      ...env,
      CHEAPSIDE_COMMAND: `node ${cli}`,
      CHEAPSIDE_FLAGS: '--region aws=us-east-1 --allow-unpriced',
      GITLAB_TOKEN: 'secret',
      CI_PROJECT_ID: '42',
      CI_MERGE_REQUEST_IID: '7',
      CI_API_V4_URL: service.url,
      ...variables,
    })
  const held = await run({ CHEAPSIDE_MAX_INCREASE: '1' })
  expect(held.code, held.err).toBe(3)
  expect(service.comments[0]!.body).toContain('**Check failed**: the monthly cost would rise by')
  const passed = await run({ CHEAPSIDE_MAX_INCREASE: '1000' })
  expect(passed.code, passed.err).toBe(0)
  expect(service.comments).toHaveLength(1)
  const unreachable = await run({ CI_API_V4_URL: 'http://127.0.0.1:9' })
  expect(unreachable.code).toBe(1)
  expect(unreachable.err).toContain('http://127.0.0.1:9 cannot be reached')
})

test('the GitLab template installs Cheapside from its repository, not from a public registry', async () => {
  service = await startFakeService('gitlab', 'secret')
  const { env, script } = jobOf(readFileSync(join(root, 'deploy/gitlab/cheapside-review.yml'), 'utf8'))
  const bin = join(directory, 'bin')
  mkdirSync(bin)
  const program = (name: string, lines: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@" >> ${bin}/calls\n${lines}\n`, {
      mode: 0o755,
    })
  program('git', `for to; do :; done; ln -s ${root} "$to"`)
  program('npm', '')
  program('npx', 'exit 1')
  const { code, out, err } = await runScript(script, {
    ...env,
    PATH: `${bin}:${process.env.PATH}`,
    CHEAPSIDE_FLAGS: '--region aws=us-east-1',
  })
  expect(code, err).toBe(0)
  expect(out).toContain('aws_instance.web')
  expect(readFileSync(join(bin, 'calls'), 'utf8').split('\n')).toEqual([
    expect.stringMatching(
      /^git clone .* --branch main https:\/\/github\.com\/cheapside-cost\/cheapside\.git /,
    ),
    expect.stringMatching(/^npm ci --omit=dev /),
    '',
  ])
})
