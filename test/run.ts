import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

// The one command that checks everything: types, lint and format, then every test.
// Arguments after `npm test --` go to the test runner: npm test -- src/pricing

const root = join(import.meta.dirname, '..')
const directory = mkdtempSync(join(tmpdir(), 'cheapside-test-'))
const report = join(directory, 'report.json')
const words = process.argv.slice(2)

const checks = [
  { name: 'types', ...tool('typescript', 'tsc', ['--noEmit']) },
  { name: 'types of the console', ...tool('typescript', 'tsc', ['--noEmit', '-p', 'web']) },
  { name: 'lint and format', ...tool('@biomejs/biome', 'biome', ['check', '--error-on-warnings']) },
  {
    name: 'tests',
    ...tool('vitest', 'vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...words,
    ]),
  },
]

/** A complete run takes fifteen to twenty minutes on two cores, and several times as long on a busy machine. */
const maxMs = 120 * 60_000
/** How long the test runner may take to end after it has written its report. */
const endingMs = 60_000

let passed = 0
let failed = 0
let skipped = 0
for (const { name, command, args } of checks) {
  const started = performance.now()
  const status = await run(command, args)
  console.log(
    `${name}: ${status === 0 ? 'fine' : 'FAILED'} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  )
  if (name !== 'tests') status === 0 ? passed++ : failed++
  else {
    const counted = countTests()
    passed += counted.passed
    skipped += counted.skipped
    // A run that broke without a failed test, or that ran no test, counts as failed too.
    failed += counted.failed + (status !== 0 && counted.failed === 0 ? 1 : 0)
  }
}
rmSync(directory, { recursive: true })
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed === 0 ? 0 : 1

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

function tool(packageName: string, bin: string, args: string[]): { command: string; args: string[] } {
  const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`)
  const bins = JSON.parse(readFileSync(manifest, 'utf8')).bin as Record<string, string> | string
  const script = join(dirname(manifest), typeof bins === 'string' ? bins : bins[bin]!)
  return { command: process.execPath, args: [script, ...args] }
}

function countTests(): { passed: number; failed: number; skipped: number } {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numFailedTestSuites } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    return {
      passed: numPassedTests,
      failed: Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0),
      skipped: numPendingTests + numTodoTests,
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
