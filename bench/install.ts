import { execFileSync, spawn } from 'node:child_process'
import { globSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// node bench/install.ts
// Measures each way to install, from an empty directory to the first response: time to install, time to start, bytes on
// disk.

const root = join(import.meta.dirname, '..')
const directory = mkdtempSync(join(tmpdir(), 'cheapside-install-'))
// The environment of a user, without the Node of this clone.
const path = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'))
const env = { ...process.env, PATH: path.join(':'), npm_config_loglevel: 'error' }
const run = (command: string, words: string[], cwd: string) =>
  execFileSync(command, words, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })

try {
  const clone = join(directory, 'clone')
  await measure('clone', clone, ['npm', 'start', '--'], () => {
    run('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone], directory)
    run('npm', ['ci'], clone)
  })

  run('npm', ['pack', '--silent', '--pack-destination', directory], clone)
  const archive = join(directory, globSync('*.tgz', { cwd: directory })[0]!)
  const prefix = join(directory, 'prefix')
  await measure('package', prefix, [join(prefix, 'bin/cheapside'), 'serve'], () => {
    run('npm', ['install', '-g', '--prefix', prefix, archive], directory)
  })
  const lean = join(directory, 'lean')
  await measure(
    'package, own Node',
    lean,
    [process.execPath, join(lean, 'node_modules/cheapside/bin/cheapside.js'), 'serve'],
    () => {
      run('npm', ['install', '--prefix', lean, '--omit=optional', archive], directory)
    },
  )

  const out = join(directory, 'out')
  const binary = join(out, `cheapside-${process.platform}-${process.arch}`)
  await measure('one file', out, [binary, 'serve'], () => {
    run('npm', ['run', '--silent', 'build:binary', '--', '--to', out], clone)
  })
  console.log(`tarball ${mb(lstatSync(archive).size)} MB`)
  const starts = Array.from({ length: 5 }, () => {
    const from = performance.now()
    execFileSync(binary, ['--version'], { stdio: 'ignore' })
    return performance.now() - from
  })
  console.log(`one file, --version: ${Math.min(...starts).toFixed(0)} ms at best of ${starts.length}`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}

async function measure(name: string, place: string, command: string[], install: () => void): Promise<void> {
  const from = performance.now()
  install()
  const installed = performance.now()
  const [first, second] = [await firstAnswer(place, command), await firstAnswer(place, command)]
  const files = globSync('**/*', { cwd: place, withFileTypes: true })
  const bytes = files.reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0)
  console.log(
    `${name}: installed in ${seconds(installed - from)}, ready ${seconds(first)} after its first start, ${seconds(second)} after the next; ${mb(bytes)} MB`,
  )
}

async function firstAnswer(cwd: string, [command, ...words]: string[]): Promise<number> {
  const from = performance.now()
  const data = mkdtempSync(join(directory, 'data-'))
  const settings = { CHEAPSIDE_LISTEN: '127.0.0.1:0', CHEAPSIDE_DATA: data, CHEAPSIDE_WATCH_SELF: 'false' }
  const child = spawn(command!, words, {
    cwd,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of child.stdout) {
    said += chunk
    if (said.includes('Your first API key')) break
  }
  const url = /listens on (\S+),/.exec(said)![1]!
  while (!(await fetch(`${url}/readyz`)).ok);
  const took = performance.now() - from
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  return took
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
