import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startFakeProviders } from './importers/fake-providers.ts'
import { productsPerType, regionFile } from './importers/region-file.ts'

// Measures reading a provider's very large price list as a stream, against the bare cost of its bytes; then a refresh
// of all six providers from local servers into a new catalogue. Prints time, and the peak memory of the reading
// process.
// node bench/importers.ts [bytes of the list] [rounds]

const bytes = Number(process.argv[2] ?? 1_000_000_000)
const rounds = Number(process.argv[3] ?? 2)
const scratch = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
const file = join(scratch, 'index.json')

try {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.setHeader('content-length', statSync(file).size)
    createReadStream(file, { highWaterMark: 1 << 18 }).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.json`

  await write('likely')
  await say('importer, HTTP', ['import', url])

  await write('dense')
  const cat = best(() => timed(() => spawnSync('sh', ['-c', `cat '${file}' > /dev/null`])))
  console.log(line('cat to /dev/null', cat))
  await say('bytes over HTTP, unread', ['drain', url])
  await say('plain tokenizer, file', ['tokenize', file])
  const tokenizer = await say('plain tokenizer, HTTP', ['tokenize-http', url])
  const importer = await say('importer, HTTP', ['import', url])
  console.log(
    `  importer: ${ratio(importer.seconds, cat)} x cat; ${ratio(importer.cpuSeconds, tokenizer.cpuSeconds)} x the CPU of the tokenizer over the same transport`,
  )
  server.close()
  server.closeAllConnections()

  const fakeCatalogue = await startFakeProviders()
  const full = await inChild(['refresh', JSON.stringify(fakeCatalogue.work)])
  console.log(
    `six providers from local servers, ${full.said}: ${full.seconds.toFixed(1)} s, CPU ${full.cpuSeconds.toFixed(1)} s, most memory ${full.maxMib} MiB`,
  )
  await fakeCatalogue.close()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function write(kind: keyof typeof productsPerType): Promise<void> {
  await pipeline(Readable.from(regionFile(bytes, productsPerType[kind])), createWriteStream(file))
  console.log(
    `a region's price list of ${(statSync(file).size / 1e6).toFixed(0)} MB, ${kind}, best of ${rounds}`,
  )
}

async function say(what: string, words: readonly string[]): Promise<Run> {
  const runs = []
  for (let round = 0; round < rounds; round++) runs.push(await inChild(words))
  const one = runs.reduce((a, b) => (b.seconds < a.seconds ? b : a))
  const maxMib = Math.max(...runs.map((run) => run.maxMib))
  console.log(
    `${line(what, one.seconds)}  CPU ${one.cpuSeconds.toFixed(1)} s  most memory ${maxMib} MiB  ${one.said}`,
  )
  return one
}

interface Run {
  readonly seconds: number
  /** CPU time of the reader alone, independent of other load on the machine. */
  readonly cpuSeconds: number
  readonly maxMib: number
  readonly said: string
}

function inChild(words: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'importers/reader.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  return new Promise((resolve, reject) =>
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`reader: ${code}`)),
    ),
  )
}

function best(run: () => number): number {
  return Math.min(...Array.from({ length: rounds }, run))
}

function timed(work: () => unknown): number {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1000
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2)
}

function line(what: string, seconds: number): string {
  const rate = statSync(file).size / 1e6 / seconds
  return `  ${what.padEnd(25)} ${seconds.toFixed(2).padStart(6)} s ${rate.toFixed(0).padStart(6)} MB/s`
}
