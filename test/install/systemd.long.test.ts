import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandsOf } from '../operations/pages.ts'
import { debianBinary } from '../peers/debian-binary.ts'
import { testWith } from '../peers/test-with.ts'

const installer = join(import.meta.dirname, '../../deploy/systemd/install')
const directory = mkdtempSync(join(tmpdir(), 'cheapside-systemd-'))
const program = join(directory, 'usr/local/bin/cheapside')
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const install = (...words: string[]) =>
  spawnSync(installer, words, {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DESTDIR: directory },
  })
const put = (path: string) => readFileSync(join(directory, path), 'utf8')

beforeAll(() => {
  mkdirSync(join(directory, 'usr/local/bin'), { recursive: true })
  writeFileSync(join(directory, 'agent.key'), 'csk_key')
})

test('the installer reports what is missing', () => {
  expect(install('server')).toMatchObject({ status: 1, stderr: expect.stringContaining('no program at') })
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  expect(install()).toMatchObject({ status: 2, stderr: expect.stringContaining('usage:') })
  expect(install('agent')).toMatchObject({ status: 2, stderr: expect.stringContaining('KEY-FILE URL') })
})

test('the installer writes units, settings and key, and keeps existing settings', () => {
  const [server, agent] = commandsOf('install.md', 'With systemd').map((line) => line.split(' ').slice(1))
  expect(install(...agent!)).toMatchObject({ status: 0 })
  expect(put('etc/cheapside/agent.env')).toContain('CHEAPSIDE_TO=https://cheapside.example.com\n')
  expect(statSync(join(directory, 'etc/cheapside/agent.key')).mode & 0o777).toBe(0o600)
  expect(install(...server!)).toMatchObject({ status: 0 })
  writeFileSync(join(directory, 'etc/cheapside/server.env'), 'CHEAPSIDE_LISTEN=[::1]:80\n')
  expect(install('server')).toMatchObject({ status: 0 })
  expect(put('etc/cheapside/server.env')).toBe('CHEAPSIDE_LISTEN=[::1]:80\n')
})

testWith('systemd').each(['cheapside.service', 'cheapside-agent.service'])('systemd accepts %s', (unit) => {
  const copy = join(directory, unit)
  const text = put(`etc/systemd/system/${unit}`)
  // The program and the targets of other packages do not exist on this machine.
  writeFileSync(copy, text.replace('/usr/local/bin/cheapside', program).replace(' postgresql.service', ''))
  const said = execFileSync(debianBinary('systemd-analyze', 'systemd'), ['verify', '--man=no', copy], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(said).toBe('')
})
