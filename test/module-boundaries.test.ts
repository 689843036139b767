import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { problemTable } from '../src/domain/problem.ts'
import { moduleState } from './module-state.ts'

// Checks the statements of ARCHITECTURE.md and other documents against the code.

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))

/** Directories and files whose code is pure. */
const engines = [
  'src/rightsizing/',
  'src/usage/',
  'src/catalogue/catalogue.ts',
  'src/catalogue/columns/',
  'src/catalogue/facts/',
  'src/catalogue/names/',
  'src/catalogue/search/',
  'src/catalogue/snapshot/',
  'src/costs/allocation/',
  'src/pricing/answer/',
  'src/pricing/current-offer.ts',
  'src/pricing/disks/cheaper-disks.ts',
  'src/pricing/disks/disk-price.ts',
  'src/pricing/history/price-points.ts',
  'src/pricing/history/price-series.ts',
  'src/pricing/terraform/',
  'src/recommendations/clusters/packing/',
  'src/recommendations/list/rows/',
  'src/recommendations/manifests/',
]
/** Use cases that lie beside the engine that they call. */
const useCases = [
  'src/pricing/terraform/review/',
  'src/usage/list-sources.ts',
  'src/catalogue/facts/build-machine-facts.ts',
  'src/recommendations/manifests/manifest-answer.ts',
]
const isEngine = (path: string): boolean =>
  engines.some((prefix) => path.startsWith(prefix)) && !useCases.some((prefix) => path.startsWith(prefix))

/** The directories that each directory may import, from the table in ARCHITECTURE.md. */
const mayImport = new Map(
  [...read('ARCHITECTURE.md').matchAll(/^\| `src\/(\w+)\/` \|.*\| ([^|]+) \|$/gm)].map(
    ([, directory, allowed]) => [directory!, allowed!],
  ),
)

function isAllowed(from: string, to: string): boolean {
  // The entry points assemble everything; the configuration is read by those who are configured.
  if (from.endsWith('.ts')) return true
  const allowed = mayImport.get(from) ?? ''
  if (to.endsWith('.ts')) return ['server', 'cli'].includes(from)
  return allowed === 'all' || (allowed === 'all but cli' && to !== 'cli') || allowed.split(', ').includes(to)
}

const code = new Set(tracked.filter((path) => /^(src|web|bench|test)\/.*\.tsx?$/.test(path)))
const sources = tracked.filter((path) => /^src\/.*\.ts$/.test(path) && !/\.(test|case)\.ts$/.test(path))

test('there is no import cycle', () => {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' -> '))
    if (done.has(path)) return
    done.add(path)
    for (const target of importsOf(path)) visit(target, [...way, path])
  }
  for (const path of code) visit(path, [])
  expect(cycles).toEqual([])
})

/** The layers of the console from the bottom, as in ARCHITECTURE.md. Pages are the rest, between these and the frame. */
const lowerLayers = ['state', 'api', 'parts', 'charts', 'usage', 'session']

test('the layers of the console import only the layers below', () => {
  const layerOf = (path: string) => {
    const part = moduleOf(path)
    const lower = lowerLayers.indexOf(part)
    return lower >= 0 ? lower : part === 'app' ? Infinity : lowerLayers.length
  }
  const consoleFiles = [...code].filter((path) => /^web\/\w+\//.test(path) && !/\.test\.tsx?$/.test(path))
  const wrong = consoleFiles.flatMap((path) =>
    // Types of the API's schema are generated and import nothing.
    importsOf(path)
      .filter((target) => target.startsWith('web/') && target !== 'web/api/schema.ts')
      .filter((target) => layerOf(target) > layerOf(path))
      .map((target) => `${path} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('imports follow ARCHITECTURE.md', () => {
  const wrong = sources.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith('src/') && moduleOf(target) !== moduleOf(path))
      .filter((target) => !isAllowed(moduleOf(path), moduleOf(target)))
      .map((target) => `${path} imports ${target}: ${moduleOf(path)} may not import ${moduleOf(target)}`),
  )
  expect(wrong).toEqual([])
})

test('ARCHITECTURE.md has one row for each directory', () => {
  const directories = new Set(sources.map(moduleOf).filter((module) => !module.endsWith('.ts')))
  expect([...mayImport.keys()].sort()).toEqual([...directories].sort())
})

test('every module loads, in alphabetical order', () => {
  const isStarted = (path: string) => path === 'src/main.ts' || /worker\.ts$/.test(path)
  const loaded = sources.filter((path) => !isStarted(path))
  const script = loaded.map((path) => `await import(${JSON.stringify(join(root, path))})`).join('\n')
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', `${script}\nprocess.exit(0)`], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(run.stderr).toBe('')
  expect(run.status).toBe(0)
})

test('every entry point runs on Node 24 too', () => {
  const threads = sources.flatMap((path) =>
    [...read(path).matchAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)].map((match) =>
      normalize(join(dirname(path), match[1]!)),
    ),
  )
  expect(threads.length).toBeGreaterThan(4)
  for (const path of ['src/main.ts', ...threads])
    expect(read(path), `${path} imports src/runtime/node-24.ts first`).toMatch(
      /^import '(\.{1,2}\/)+(runtime\/)?node-24\.ts'/,
    )
})

test('only src/runtime starts threads', () => {
  for (const path of sources.filter((one) => moduleOf(one) !== 'runtime'))
    expect(read(path), `${path}: use WorkerClient or runOnce`).not.toMatch(/new Worker\(|parentPort/)
})

test('engines do no I/O and read no clock', () => {
  for (const path of sources.filter((one) => isEngine(one))) {
    expect(read(path), `${path} is an engine: hand the time or the data in`).not.toMatch(
      /node:(fs|net|http|https|child_process|worker_threads|timers)|Date\.now\(|performance\.now\(|new Date\(\)|console\./,
    )
  }
})

/** Mutable values at module level of engines that are never changed, by file, with names and the reason. */
const constants: Record<string, { readonly names: readonly string[]; readonly why: string }> = {
  'src/catalogue/search/search-cache.ts': { names: ['firstSource'], why: 'zeros that nothing changes' },
  'src/pricing/answer/encode-answer.ts': { names: ['nothing'], why: 'of length 0: nothing in it can change' },
}

test('engines keep no state at module level', () => {
  const kept = sources
    .filter(isEngine)
    .flatMap((path) => moduleState(read(path)).map((name) => `${path}: ${name}`))
  const allowed = Object.entries(constants).flatMap(([path, { names }]) =>
    names.map((name) => `${path}: ${name}`),
  )
  const found = kept.filter((one) => !allowed.includes(one))
  expect(found, 'let the caller hand the memory in, or make it a field of what the caller makes').toEqual([])
  expect(allowed.filter((one) => !kept.includes(one))).toEqual([])
})

test.each([
  ['let calls = 0', ['calls']],
  ['export let last: string | undefined', ['last']],
  ['const cache = new Map<string, number>()', ['cache']],
  ['const known: string[] = []', ['known']],
  ['const scratch = new Float64Array(8)', ['scratch']],
  ['class Reader {\n  static readonly cache = new Map()\n}', ['cache']],
  ["const names: ReadonlySet<string> = new Set(['a'])", []],
  ["const order = ['a', 'b']\nconst first = order[0]!", []],
  ['export function make() {\n  const own = new Map()\n  own.set(1, 2)\n}', []],
])('state is found in text: %j', (text, names) => {
  expect(moduleState(text)).toEqual(names)
})

test('engines import only types of what is not an engine', () => {
  const pure = ['src/domain/', 'src/runtime/bytes/', 'src/runtime/compressed-lines.ts']
  const wrong = sources.filter(isEngine).flatMap((path) =>
    valueImportsOf(path)
      .filter((target) => target.startsWith('src/') && target.endsWith('.ts'))
      .filter((target) => !isEngine(target) && !pure.some((prefix) => target.startsWith(prefix)))
      .map((target) => `${path} imports a value of ${target}: pass it in`),
  )
  expect(wrong).toEqual([])
})

test('only config.ts and main.ts read the environment', () => {
  for (const path of sources.filter((one) => !['src/config.ts', 'src/main.ts'].includes(one))) {
    expect(read(path), `${path}: make it a setting in src/config.ts`).not.toMatch(/process\.env/)
  }
})

test('providers are named only in providers/', () => {
  const names = /['"`](aws|azure|gcp|digitalocean|hetzner|ovhcloud)['"`]/i
  const mayName = /^src\/providers\//
  for (const path of sources.filter((one) => !mayName.test(one))) {
    const code = read(path).replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
    expect(code, `${path} asks for a provider's name: let providers declare what differs`).not.toMatch(names)
  }
})

describe('documents', () => {
  test('name only paths that exist', () => {
    const missing = tracked
      .filter((path) => path.endsWith('.md'))
      .flatMap((document) =>
        pathsIn(document)
          .filter((path) => !existsSync(join(root, path)))
          .map((path) => `${document}: ${path}`),
      )
    expect(missing).toEqual([])
  })

  test('every error code is documented', () => {
    const text = read('docs/operations/reference.md')
    for (const code of Object.keys(problemTable)) expect(text).toContain(`\`${code}\``)
  })
})

test('no tracked file names a machine path or a registry', () => {
  const registry = ['regis', 'try.npmjs'].join('')
  const machine = new RegExp(`(^|[^\\w./-])/${'work'}/|${registry}`)
  for (const path of tracked.filter((one) =>
    /\.(ts|tsx|js|json|md|yaml|yml|html|css)$|\.ci\/run/.test(one),
  )) {
    expect(read(path), path).not.toMatch(machine)
  }
  expect(read('package-lock.json')).not.toContain('"resolved"')
})

function pathsIn(document: string): string[] {
  const text = read(document)
  const links = text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)
  const named = text.matchAll(/`((?:src|docs|test|bench|bin|catalogue|deploy|web|\.ci)\/[\w./-]*)`/g)
  return [
    ...[...links].map((match) => normalize(join(dirname(document), match[1]!))),
    ...[...named].map((match) => match[1]!),
  ]
}

function moduleOf(path: string): string {
  const [, module] = path.split('/')
  return module!
}

/** Modules that are imported for more than types. */
function valueImportsOf(path: string): string[] {
  const statements = read(path).matchAll(
    /^(?:import|export) (?!type\b)(?:([\w*{][^'";]*?) from )?'(\.{1,2}\/[^']+)'|\bimport\('(\.{1,2}\/[^']+)'\)/gm,
  )
  return [...statements].flatMap(([, names, target, dynamic]) => {
    const isTypes = names !== undefined && /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names)
    return isTypes ? [] : [normalize(join(dirname(path), (target ?? dynamic)!))]
  })
}

function importsOf(path: string): string[] {
  const specifiers = read(path).matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)
  return [...specifiers]
    .map((match) => normalize(join(dirname(path), match[1]!)))
    .filter((target) => code.has(target))
}
