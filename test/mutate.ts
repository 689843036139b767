import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Change, changesOf } from './mutation/changes.ts'

// Would the tests notice? Makes random one-token changes to source files, one at a time, in a copy of the project, and runs
// the tests that import the changed file. A change that no test notices is printed.
//   npm run mutate -- src/pricing [src/http ...] [--count 60] [--seed 1] [--jobs 2]
// Stryker, the usual tool, has no runner for this version of vitest.
// Changes that cannot be noticed are listed with the reason in test/mutation/survivors.json and do not count.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
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

const longestMs = 180_000
const root = join(import.meta.dirname, '..')
const accepted = JSON.parse(
  readFileSync(join(import.meta.dirname, 'mutation/survivors.json'), 'utf8'),
) as Survivor[]
const mutants = sample(positionals.flatMap(mutantsUnder), Number(values.count), Number(values.seed))
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
  try {
    const left = new Set(['node_modules', '.git', 'data', 'docs'])
    cpSync(root, copy, { recursive: true, filter: (path) => path === root || !left.has(basename(path)) })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      if (!(await isNoticed(copy, mutant))) {
        if (isAccepted(mutant)) explained++
        else survivors.push(mutant)
      }
      if (process.stderr.isTTY) process.stderr.write(`\r${++done} of ${mutants.length}`)
    }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

async function isNoticed(copy: string, { file, change }: Mutant): Promise<boolean> {
  const source = readFileSync(join(root, file), 'utf8')
  writeFileSync(join(copy, file), source.slice(0, change.start) + change.text + source.slice(change.end))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const elsewhere = ['test', 'web', 'bench'].map((folder) => `--exclude=${folder}/**`)
  const words = ['related', file, '--run', '--bail=1', '--reporter=dot', '--passWithNoTests', ...elsewhere]
  const child = spawn(process.execPath, [vitest, ...words], { cwd: copy, stdio: 'ignore', detached: true })
  // A change that makes a loop endless is noticed too.
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), longestMs)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  writeFileSync(join(copy, file), source)
  return code !== 0
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
