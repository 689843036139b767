import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { loadCatalogue, shippedCatalogue } from '../src/operations/load-catalogue.ts'
import { providersOn } from '../src/operations/pricing/providers-on.ts'
import { startService } from '../test/service.ts'
import { cpuSeconds, drive, needWrk } from './load.ts'

// POST /recommendations against the same server returning the same bytes without thinking: same key, same limits,
// same validation of the same body; only the operation is left out. Asked one question again and again, and a
// thousand different ones in turn, so that nothing written for one helps the next.

needWrk()
const seconds = 5
const different = 1000
const service = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0' } })
const first = questionAbout('aws', 'us-east-1', 'm5.xlarge', 1.5, 6)
const one = await measure('one question', [first])
const many = await measure(`${different} questions in turn`, await questionsWithAnswers(different))
console.log(`ratio with one question: ${told(one)} (goal: at least 0.60)`)
console.log(`ratio with ${different} questions: ${told(many)}`)
await service.stop()

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

/** About every so many-th instance on sale at the three largest clouds, each with another usage. */
async function questionsWithAnswers(count: number) {
  const { catalogue } = await loadCatalogue(shippedCatalogue, providersOn([]).providers)
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

async function measure(name: string, questions: readonly object[]) {
  const bodies = questions.map((question) => JSON.stringify(question))
  const answers: string[] = []
  for (const body of questions) answers.push((await service.request('/recommendations', { body })).text)
  const bytes = answers.reduce((sum, { length }) => sum + length, 0) / answers.length
  console.log(`${name}: ${bytes.toFixed(0)} bytes an answer`)
  const echo = spawn(
    process.execPath,
    [join(import.meta.dirname, 'unthinking-server.ts'), JSON.stringify({ key: service.key })],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  echo.stdin.end(JSON.stringify(answers))
  const [line] = await once(echo.stdout, 'data')
  const unthinkingUrl = JSON.parse(line).url as string
  const ratios: number[] = []
  const cpuRatios: number[] = []
  for (let round = 0; round < 5; round++) {
    const [ours, oursCpu] = await measured(service.child.pid!, service.url, bodies)
    const [theirs, theirsCpu] = await measured(echo.pid!, unthinkingUrl, bodies)
    ratios.push(ours.requestsPerSecond / theirs.requestsPerSecond)
    cpuRatios.push(theirsCpu / oursCpu)
    console.log(
      `round ${round + 1}: thinking ${ours.requestsPerSecond.toFixed(0)}/s (p99 ${ours.p99Ms} ms, ${oursCpu.toFixed(0)} us of CPU), ` +
        `unthinking ${theirs.requestsPerSecond.toFixed(0)}/s (p99 ${theirs.p99Ms} ms, ${theirsCpu.toFixed(0)} us of CPU), ratio ${ratios.at(-1)!.toFixed(2)}`,
    )
  }
  echo.kill()
  return { requests: median(ratios), cpu: median(cpuRatios) }
}

async function measured(pid: number, url: string, bodies: readonly string[]) {
  const before = cpuSeconds(pid)
  const load = await drive(`${url}/recommendations`, {
    seconds,
    method: 'POST',
    headers: { 'X-API-KEY': service.key, 'Content-Type': 'application/json' },
    bodies,
  })
  if (load.failures > 0) throw new Error(`${load.failures} requests failed`)
  return [load, ((cpuSeconds(pid) - before) * 1e6) / (load.requestsPerSecond * seconds)] as const
}

function told({ requests, cpu }: { requests: number; cpu: number }): string {
  return `${requests.toFixed(2)} by requests, ${cpu.toFixed(2)} by CPU time`
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
