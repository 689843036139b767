import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsUnder, sample } from './mutation/mutants.ts'
import { RelatedTests } from './mutation/related-tests.ts'

// Mutation testing: makes random one-token changes to source files, one at a time, in a copy of the project, and runs the
// tests
// that import the changed file until one fails. A change that no test notices is printed.
//   npm run mutate -- src/pricing [src/server ...] [--tests src] [--count 60] [--seed 1] [--jobs 2]
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

interface Survivor {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly why: string
}

/** A test counts as endless if it takes longer than this factor times its duration without a change, plus this time. */
const [longerBy, longerMs] = [4, 20_000]
const root = join(import.meta.dirname, '..')
const accepted = JSON.parse(
  readFileSync(join(import.meta.dirname, 'mutation/survivors.json'), 'utf8'),
) as Survivor[]
const mutants = sample(
  positionals.flatMap((place) => mutantsUnder(root, place)),
  Number(values.count),
  Number(values.seed),
)
const related = new RelatedTests(root)
const survivors: Mutant[] = []
const endless: Mutant[] = []
let explained = 0
let done = 0
const durationsMs = new Map<string, number>()
const queue = [...mutants]
await Promise.all(Array.from({ length: Number(values.jobs) }, work))

const counted = mutants.length - explained
const noticed = counted - survivors.length
print('made tests run without end', endless)
print('not noticed', survivors)
console.log(
  `\n${noticed} of ${counted} changes noticed (${((100 * noticed) / Math.max(1, counted)).toFixed(0)}%); ` +
    `${explained} more cannot be noticed, see test/mutation/survivors.json`,
)

function print(what: string, which: readonly Mutant[]): void {
  for (const { file, line, before, after } of which)
    console.log(`\n${what}: ${file}:${line}\n  - ${before}\n  + ${after}`)
}

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

/** Ends the runner together with its workers. */
function end(runner: ChildProcess): void {
  if (!hasEnded(runner)) process.kill(-runner.pid!, 'SIGKILL')
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function isNoticed(copy: string, runner: ChildProcess, mutant: Mutant): Promise<boolean> {
  const { file, change } = mutant
  const source = readFileSync(join(root, file), 'utf8')
  writeFileSync(join(copy, file), source.slice(0, change.start) + change.text + source.slice(change.end))
  let noticed = false
  for (const test of testsOf(file)) {
    const timer = setTimeout(
      () => {
        endless.push(mutant)
        end(runner)
      },
      (durationsMs.get(test) ?? 0) * longerBy + longerMs,
    )
    noticed = await fails(runner, test, file)
    clearTimeout(timer)
    if (noticed) break
  }
  writeFileSync(join(copy, file), source)
  return noticed
}

function fails(runner: ChildProcess, test: string, changed: string): Promise<boolean> {
  runner.send({ changed, test })
  return new Promise((resolve) => {
    const onExit = () => resolve(true)
    runner.once('exit', onExit)
    runner.once('message', (failed: boolean) => {
      runner.off('exit', onExit)
      resolve(failed)
    })
  })
}

/** A test that fails without a change would seem to notice every change. */
async function refuseFailingTests(runner: ChildProcess): Promise<void> {
  for (const test of new Set(mutants.flatMap(({ file }) => testsOf(file)))) {
    const startedAt = performance.now()
    if (await fails(runner, test, test)) throw new Error(`${test} fails without a change`)
    durationsMs.set(test, performance.now() - startedAt)
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

function isAccepted({ file, before, after }: Mutant): boolean {
  return accepted.some((one) => one.file === file && one.before === before && one.after === after)
}
