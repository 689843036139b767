import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoadedCatalogue, loadCatalogue, shippedCatalogue } from '../src/catalogue/load-catalogue.ts'
import { enabledProviders } from '../src/pricing/market.ts'
import { type RunningService, startService } from '../test/service.ts'
import { tenfoldSnapshot } from './catalogue/tenfold.ts'
import { cpuSeconds, drive, needWrk } from './load.ts'

// Compares POST /recommendations with the same server returning the same bytes without computing them: same key, same
// limits, same validation of the same body; only the operation is left out. Sends one request repeatedly, and a
// thousand different ones in turn, on the shipped catalogue and on one ten times as large.
//   node bench/recommendations.ts [seconds a round]

needWrk()
const seconds = Number(process.argv[2] ?? 5)
const rounds = 5
const warmUps = 3
const different = 1000
const loaded = await loadCatalogue(shippedCatalogue, enabledProviders([]).providers)
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
try {
  await compare('the shipped catalogue', shippedCatalogue, loaded)
  const file = join(directory, 'tenfold.catalogue')
  writeFileSync(file, tenfoldSnapshot(loaded.catalogue, loaded.manifest))
  await compare('ten times as large', file, loaded)
} finally {
  rmSync(directory, { recursive: true })
}

async function compare(name: string, file: string, { catalogue }: LoadedCatalogue): Promise<void> {
  const service = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_CATALOGUE: file } })
  try {
    const first = questionAbout('aws', 'us-east-1', 'm5.xlarge', 1.5, 6)
    const one = await measure(service, `${name}, one question`, [first])
    const questions = await questionsWithAnswers(service, catalogue, different)
    const many = await measure(service, `${name}, ${different} questions in turn`, questions)
    console.log(`${name}: ratio with one question ${ratioText(one)}`)
    console.log(
      `${name}: ratio with ${different} different questions ${ratioText(many)} (goal: at least 0.60 by requests)`,
    )
  } finally {
    await service.stop()
  }
}

function questionAbout(provider: string, region: string, type: string, cores: number, gib: number) {
  return {
    availability_zone: '',
    instance_type: type,
    operating_system: 'Linux',
    provider,
    region,
    service: '',
    usage_type: 'ondemand',
    vm: { cpu_cores: 2 * cores, ram_gb: 2 * gib },
    usage: { cpu_cores: cores, ram_gb: gib },
    predicates: {
      availability_zones: [],
      instance_types: [],
      providers: [],
      regions: [],
      usage_types: [],
    },
  }
}

/** Selects about every n-th instance of the three largest clouds, each with a different usage. */
async function questionsWithAnswers(
  service: RunningService,
  catalogue: LoadedCatalogue['catalogue'],
  count: number,
) {
  const places = ['aws us-east-1', 'aws eu-west-1', 'azure westeurope', 'gcp us-central1'].map((place) =>
    place.split(' '),
  )
  const found = []
  for (let i = 0; found.length < count; i++) {
    const [provider, region] = places[i % places.length] as [string, string]
    const types = catalogue.typesOf(provider)
    const type = types[(i * 7) % types.length]!
    const question = questionAbout(provider, region, type, 1 + (i % 13) / 4, 2 + (i % 29) / 2)
    if ((await service.request('/recommendations', { body: question })).status === 200) found.push(question)
  }
  return found
}

async function measure(service: RunningService, name: string, questions: readonly object[]) {
  const bodies = questions.map((question) => JSON.stringify(question))
  const answers: string[] = []
  for (const body of questions) answers.push((await service.request('/recommendations', { body })).text)
  const bytes = answers.reduce((sum, { length }) => sum + length, 0) / answers.length
  console.log(`${name}: ${bytes.toFixed(0)} bytes an answer`)
  const echo = spawn(
    process.execPath,
    [join(import.meta.dirname, 'replay-server.ts'), JSON.stringify({ key: service.key })],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  try {
    echo.stdin.end(JSON.stringify(answers))
    const [line] = await once(echo.stdout, 'data')
    const thinking = () => measured(service.child.pid!, service.url, service.key, bodies)
    const replay = () => measured(echo.pid!, JSON.parse(line).url, service.key, bodies)
    for (let times = 0; times < warmUps; times++) {
      await thinking()
      await replay()
    }
    const ratios: number[] = []
    const cpuRatios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const ours = await thinking()
      const theirs = await replay()
      ratios.push(ours.perSecond / theirs.perSecond)
      cpuRatios.push(theirs.cpuUs / ours.cpuUs)
      console.log(
        `round ${round + 1}: thinking ${ours.text}, unthinking ${theirs.text}, ratio ${ratios.at(-1)!.toFixed(2)}`,
      )
    }
    return { requests: median(ratios), cpu: median(cpuRatios) }
  } finally {
    echo.kill()
  }
}

async function measured(pid: number, url: string, key: string, bodies: readonly string[]) {
  const before = cpuSeconds(pid)
  const load = await drive(`${url}/recommendations`, {
    seconds,
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
    bodies,
  })
  if (load.failures > 0) throw new Error(`${load.failures} requests failed`)
  const perSecond = load.requestsPerSecond
  const cpuUs = ((cpuSeconds(pid) - before) * 1e6) / (perSecond * seconds)
  const text = `${perSecond.toFixed(0)}/s (p99 ${load.p99Ms} ms, ${cpuUs.toFixed(0)} us of CPU)`
  return { perSecond, cpuUs, text }
}

function ratioText({ requests, cpu }: { requests: number; cpu: number }): string {
  return `${requests.toFixed(2)} by requests, ${cpu.toFixed(2)} by CPU time`
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
