import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  addCounts,
  type Counts,
  countTests,
  describeCounts,
  installationHint,
  readReport,
  skippedTests,
} from './run-report.ts'

// npm test            types, lint and format, and the tests that say whether a change is right
// npm run test:all    the long tests too: files that end in .long.test.ts
// npm run test:long   only these
// Further arguments go to the test runner: npm test -- src/pricing
// --totals FILE adds the counts in the file, of an earlier run, to those of this run, and writes the sum to it.

const root = join(import.meta.dirname, '..')
const directory = mkdtempSync(join(tmpdir(), 'cheapside-test-'))
const report = join(directory, 'report.json')
const words = process.argv.slice(2)
const take = (flag: string): boolean =>
  words.includes(flag) && words.splice(words.indexOf(flag), 1).length > 0
const [isLong, isAll] = [take('--long'), take('--all')]
const totals = words.includes('--totals') ? words.splice(words.indexOf('--totals'), 2)[1] : undefined
const projects = [...(isLong ? [] : ['modules', 'system']), ...(isLong || isAll ? ['long'] : [])]

const checks = [
  { name: 'types', ...tool('typescript', 'tsc', ['--noEmit']) },
  { name: 'types of the console', ...tool('typescript', 'tsc', ['--noEmit', '-p', 'web']) },
  { name: 'lint and format', ...tool('@biomejs/biome', 'biome', ['check', '--error-on-warnings']) },
]
const tests = tool('vitest', 'vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...projects.map((name) => `--project=${name}`),
  ...words,
])

/** A complete run takes fifteen minutes on two cores, and several times as long on a busy machine. */
const maxMs = 120 * 60_000
/** How long the test runner may take to end after it has written its report. */
const endingMs = 60_000

let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
for (const check of isLong ? [] : checks)
  counts = addCounts(counts, {
    ...((await isFine(check.name, check)) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }),
    skipped: 0,
  })
const areFine = await isFine('tests', tests)
const found = readReport(report)
const counted = countTests(found)
// A run that broke without a failed test, or that ran no test, counts as failed too.
counts = addCounts(counts, { ...counted, failed: Math.max(counted.failed, areFine ? 0 : 1) })
rmSync(directory, { recursive: true })
const skipped = found === undefined ? [] : skippedTests(found, root)
if (skipped.length > 0) console.log(['\nSkipped:', ...skipped, installationHint()].join('\n'))
if (totals !== undefined) {
  if (existsSync(totals)) counts = addCounts(counts, JSON.parse(readFileSync(totals, 'utf8')))
  writeFileSync(totals, JSON.stringify(counts))
}
console.log(`\n${describeCounts(counts)}`)
process.exitCode = counts.failed === 0 ? 0 : 1

async function isFine(name: string, { command, args }: Tool): Promise<boolean> {
  const started = performance.now()
  const status = await run(command, args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${name}: ${status === 0 ? 'fine' : 'FAILED'} (${seconds} s)`)
  return status === 0
}

/**
 * Runs a check in its own process group and ends the group with it. A broken test may leave a process behind, which must
 * neither survive the run nor prevent its end.
 */
async function run(command: string, args: string[]): Promise<number> {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', detached: true })
  const endGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal)
    } catch {
      // The group is already gone.
    }
  }
  const stop = () => {
    endGroup('SIGKILL')
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  let reportedAt = Number.POSITIVE_INFINITY
  const started = performance.now()
  const watch = setInterval(() => {
    const now = performance.now()
    if (reportedAt > now && existsSync(report)) reportedAt = now
    if (now - reportedAt < endingMs && now - started < maxMs) return
    console.log(`The run was ended: it ${reportedAt < now ? 'had its result and hung' : 'took too long'}`)
    endGroup('SIGKILL')
  }, 1000)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watch)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  endGroup('SIGKILL')
  return code ?? 1
}

interface Tool {
  readonly command: string
  readonly args: string[]
}

function tool(packageName: string, bin: string, args: string[]): Tool {
  const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`)
  const bins = JSON.parse(readFileSync(manifest, 'utf8')).bin as Record<string, string> | string
  const script = join(dirname(manifest), typeof bins === 'string' ? bins : bins[bin]!)
  return { command: process.execPath, args: [script, ...args] }
}
