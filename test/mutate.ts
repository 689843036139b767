import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Change, changesOf } from './mutation/changes.ts'
import { RelatedTests } from './mutation/related-tests.ts'

// Would the tests notice? Makes random one-token changes to source files, one at a time, in a copy of the project, and runs
// the tests that import the changed file, until one fails. A change that no test notices is printed.
//   npm run mutate -- src/pricing [src/http ...] [--tests src] [--count 60] [--seed 1] [--jobs 2]
// Only the tests in the named directories count; --tests names others, or files that are always run.
// Stryker, the usual tool, has no runner for this version of vitest.
// Changes that cannot be noticed are listed with the reason in test/mutation/survivors.json and do not count.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string', multiple: true, default: [] as string[] },
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
  },
})
if (positionals.length === 0) {
  console.error('Name at least one file or directory: npm run mutate -- src/pricing')
  process.exit(2)
}

interface Mutant {
  readonly file: string
  readonly change: Change
  readonly line: number
  readonly before: string
  readonly after: string
}

interface Survivor {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly why: string
}

const longestMs = 60_000
const root = join(import.meta.dirname, '..')
const accepted = JSON.parse(
  readFileSync(join(import.meta.dirname, 'mutation/survivors.json'), 'utf8'),
) as Survivor[]
const mutants = sample(positionals.flatMap(mutantsUnder), Number(values.count), Number(values.seed))
const related = new RelatedTests(root)
const survivors: Mutant[] = []
let explained = 0
let done = 0
const queue = [...mutants]
await Promise.all(Array.from({ length: Number(values.jobs) }, work))

const counted = mutants.length - explained
const noticed = counted - survivors.length
for (const { file, line, before, after } of survivors)
  console.log(`\nnot noticed: ${file}:${line}\n  - ${before}\n  + ${after}`)
console.log(
  `\n${noticed} of ${counted} changes noticed (${((100 * noticed) / Math.max(1, counted)).toFixed(0)}%); ` +
    `${explained} more cannot be noticed, see test/mutation/survivors.json`,
)

async function work(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'cheapside-mutate-'))
  let runner: ChildProcess | undefined
  try {
    const left = new Set(['node_modules', '.git', 'data'])
    cpSync(root, copy, { recursive: true, filter: (path) => path === root || !left.has(basename(path)) })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    runner = await startRunner(copy)
    if (mutants[0] === queue[0]) await refuseFailingTests(runner)
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      if (hasEnded(runner)) runner = await startRunner(copy)
      if (!(await isNoticed(copy, runner, mutant))) {
        if (isAccepted(mutant)) explained++
        else survivors.push(mutant)
      }
      if (process.stderr.isTTY) process.stderr.write(`\r${++done} of ${mutants.length}`)
    }
  } finally {
    if (runner !== undefined) end(runner)
    rmSync(copy, { recursive: true })
  }
}

async function startRunner(copy: string): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'mutation/test-runner.ts')
  const runner = fork(script, [copy], { cwd: copy, stdio: 'ignore', detached: true })
  await once(runner, 'message')
  return runner
}

/** With the workers it started. */
function end(runner: ChildProcess): void {
  if (!hasEnded(runner)) process.kill(-runner.pid!, 'SIGKILL')
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function isNoticed(copy: string, runner: ChildProcess, { file, change }: Mutant): Promise<boolean> {
  const source = readFileSync(join(root, file), 'utf8')
  writeFileSync(join(copy, file), source.slice(0, change.start) + change.text + source.slice(change.end))
  runner.send({ changed: file, tests: testsOf(file) })
  // A change that makes a loop endless is noticed too.
  const timer = setTimeout(() => end(runner), longestMs)
  const noticed = await failureOf(runner)
  clearTimeout(timer)
  writeFileSync(join(copy, file), source)
  return noticed
}

function failureOf(runner: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const onExit = () => resolve(true)
    runner.once('exit', onExit)
    runner.once('message', (failed: boolean) => {
      runner.off('exit', onExit)
      resolve(failed)
    })
  })
}

/** A test that fails without a change would seem to notice them all. */
async function refuseFailingTests(runner: ChildProcess): Promise<void> {
  for (const test of new Set(mutants.flatMap(({ file }) => testsOf(file)))) {
    runner.send({ changed: test, tests: [test] })
    if (await failureOf(runner)) throw new Error(`${test} fails without a change`)
  }
}

function testsOf(file: string): string[] {
  const places = [
    ...positionals.map((place) => (place.endsWith('.ts') ? dirname(place) : place)),
    ...values.tests,
  ]
  const near = related.of(file).filter((test) => places.some((place) => test.startsWith(place)))
  return [...new Set([...near, ...values.tests.filter((place) => place.endsWith('.ts'))])]
}

function mutantsUnder(place: string): Mutant[] {
  const files = place.endsWith('.ts') ? [place] : globSync(`${place}/**/*.ts`, { cwd: root })
  return files
    .filter((file) => !/\.(test|case)\.ts$/.test(file))
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      return changesOf(source).map((change) => describe(file, source, change))
    })
}

function describe(file: string, source: string, change: Change): Mutant {
  const from = source.lastIndexOf('\n', change.start - 1) + 1
  const to = (source.indexOf('\n', change.end) + 1 || source.length + 1) - 1
  return {
    file,
    change,
    line: source.slice(0, change.start).split('\n').length,
    before: source.slice(from, to).trim(),
    after: (source.slice(from, change.start) + change.text + source.slice(change.end, to)).trim(),
  }
}

function isAccepted({ file, before, after }: Mutant): boolean {
  return accepted.some((one) => one.file === file && one.before === before && one.after === after)
}

/** The same choice for the same seed. */
function sample<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = seed >>> 0
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return all
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ item }) => item)
}
