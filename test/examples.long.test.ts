import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testWith } from './peers/test-with.ts'
import { startService } from './service.ts'

const root = join(import.meta.dirname, '..')
const examples = join(root, 'examples')
const run = promisify(execFile)

testWith('curl')(
  'the tour runs to its end and shows the private price between registering and removing it',
  async () => {
    const service = await startService()
    try {
      const env = { PATH: process.env.PATH, URL: service.url, KEY: service.key }
      const { stdout } = await run('sh', [join(examples, 'tour.sh')], { env, maxBuffer: 64 << 20 })
      const answers = stdout.split(/^# .*$/m).map((answer) => answer.trim())
      expect(JSON.parse(answers[1]!)).not.toHaveProperty('rack-8')
      expect(JSON.parse(answers[3]!)).toMatchObject({ Status: 'Registered', Entries: 1 })
      expect(JSON.parse(answers[4]!)).toHaveProperty('rack-8')
      expect(JSON.parse(answers[5]!)).toMatchObject({ count: 1 })
    } finally {
      await service.stop()
    }
  },
)

test('the plan review prints the cost of the plan and fails above its limit', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'cheapside-examples-'))
  try {
    symlinkSync(join(root, 'bin/cheapside.js'), join(bin, 'cheapside'))
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    const script = join(examples, 'terraform/review.sh')
    const inClone = { ...process.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
    expect((await run('sh', [script], { env: inClone })).stdout).toContain('aws_instance.batch')
    const { stdout } = await run('sh', [script], { env })
    expect(stdout).toContain('aws_instance.batch')
    await expect(run('sh', [script], { env: { ...env, MAX_INCREASE: '1' } })).rejects.toMatchObject({
      code: 3,
    })
  } finally {
    rmSync(bin, { recursive: true })
  }
})

test('the README lists every example', () => {
  const readme = readFileSync(join(examples, 'README.md'), 'utf8')
  for (const name of readdirSync(examples, { recursive: true, encoding: 'utf8' }))
    if (/\.(sh|yml|yaml)$/.test(name)) expect(readme).toContain(`\`${name}\``)
})
