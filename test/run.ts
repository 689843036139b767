import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
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
const projects = [...(isLong ? [] : ['modules', 'console', 'system']), ...(isLong || isAll ? ['long'] : [])]

const checks = [
  { name: 'types', ...tool('typescript', 'tsc', ['--noEmit', '--checkers', '1']) },
  {
    name: 'types of the console',
    ...tool('typescript', 'tsc', ['--noEmit', '-p', 'web', '--checkers', '1']),
  },
  { name: 'lint and format', ...tool('@biomejs/biome', 'biome', ['check', '--error-on-warnings']) },
]
const tests = tool(
  'vitest',
  'vitest',
  [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...projects.map((name) => `--project=${name}`),
    ...words,
  ],
  'inherit',
)

/** A complete run takes fifteen minutes on two cores, and several times as long on a busy machine. */
const maxMs = 120 * 60_000
/** How long the test runner may take to end after it has written its report. */
const endingMs = 60_000

// The checks need one core, and the tests leave about as much of two unused.
const [areFine, results] = await Promise.all([isFine('tests', tests), isLong ? [] : runChecks()])
let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
for (const { text, passed } of results) {
  console.log(text)
  counts = addCounts(counts, { passed: Number(passed), failed: Number(!passed), skipped: 0 })
}
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

async function isFine(name: string, tool: Tool): Promise<boolean> {
  const { text, passed } = await run(name, tool, (group) => {
    const hung = watchReport(() => endGroup(group, 'SIGKILL'))
    group.once('exit', () => clearInterval(hung))
  })
  console.log(text)
  return passed
}

/** One after the other. What they print is returned, so that it is not mixed with the progress of the tests. */
async function runChecks(): Promise<Result[]> {
  const results: Result[] = []
  for (const check of checks) {
    let output = ''
    const { text, passed } = await run(check.name, check, ({ stdout, stderr }) => {
      for (const stream of [stdout, stderr])
        stream?.setEncoding('utf8').on('data', (chunk) => (output += chunk))
    })
    results.push({ text: passed ? text : `${output}\n${text}`, passed })
  }
  return results
}

/** Ends a test runner that hangs after its report, or runs without end. */
function watchReport(end: () => void): NodeJS.Timeout {
  let reportedAt = Number.POSITIVE_INFINITY
  const started = performance.now()
  return setInterval(() => {
    const now = performance.now()
    if (reportedAt > now && existsSync(report)) reportedAt = now
    if (now - reportedAt < endingMs && now - started < maxMs) return
    console.log(`The run was ended: it ${reportedAt < now ? 'had its result and hung' : 'took too long'}`)
    end()
  }, 1000)
}

interface Result {
  /** The last line of the check. */
  readonly text: string
  readonly passed: boolean
}

/**
 * Runs a tool in its own process group and ends the group with it. A broken test may leave a process behind, which must
 * neither survive the run nor prevent its end.
 */
async function run(
  name: string,
  { command, args, stdio }: Tool,
  onStart: (group: ChildProcess) => void,
): Promise<Result> {
  const started = performance.now()
  const child = spawn(command, args, { cwd: root, stdio, detached: true })
  onStart(child)
  const stop = () => {
    endGroup(child, 'SIGKILL')
    // After those of the other groups.
    setImmediate(() => process.exit(130))
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  process.off('SIGINT', stop).off('SIGTERM', stop)
  endGroup(child, 'SIGKILL')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return { text: `${name}: ${code === 0 ? 'fine' : 'FAILED'} (${seconds} s)`, passed: code === 0 }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal)
  } catch {
    // The group is already gone.
  }
}

interface Tool {
  readonly command: string
  readonly args: string[]
  readonly stdio: StdioOptions
}

function tool(packageName: string, bin: string, args: string[], stdio: StdioOptions = 'pipe'): Tool {
  const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`)
  const bins = JSON.parse(readFileSync(manifest, 'utf8')).bin as Record<string, string> | string
  const script = join(dirname(manifest), typeof bins === 'string' ? bins : bins[bin]!)
  return { command: process.execPath, args: [script, ...args], stdio }
}
