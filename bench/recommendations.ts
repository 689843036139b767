import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startService } from '../test/service.ts'
import { cpuSeconds, drive, needWrk } from './load.ts'

// POST /recommendations against the same server returning the same bytes without thinking: same key, same limits,
// same validation of the same body; only the operation is left out.

needWrk()
const seconds = 5
const question = {
  availability_zone: '',
  instance_type: 'm5.xlarge',
  operating_system: 'Linux',
  provider: 'aws',
  region: 'us-east-1',
  service: 'AmazonEC2',
  usage_type: 'ondemand',
  vm: { cpu_cores: 4, ram_gb: 16 },
  usage: { cpu_cores: 1.5, ram_gb: 6 },
  predicates: { availability_zones: [], instance_types: [], providers: [], regions: [], usage_types: [] },
}
const service = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0' } })
const answer = await service.request('/recommendations', { body: question })
console.log(`the answer has ${Object.keys(answer.json).length} groups in ${answer.text.length} bytes`)
const echo = spawn(
  process.execPath,
  [join(import.meta.dirname, 'unthinking-server.ts'), JSON.stringify({ key: service.key })],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
  },
)
echo.stdin.end(answer.text)
const [line] = await once(echo.stdout, 'data')
const unthinkingUrl = JSON.parse(line).url as string

const request = {
  seconds,
  method: 'POST',
  headers: { 'X-API-KEY': service.key, 'Content-Type': 'application/json' },
  body: JSON.stringify(question),
}
const ratios: number[] = []
const cpuRatios: number[] = []
for (let round = 0; round < 5; round++) {
  const [ours, oursCpu] = await measured(service.child.pid!, `${service.url}/recommendations`)
  const [theirs, theirsCpu] = await measured(echo.pid!, `${unthinkingUrl}/recommendations`)
  ratios.push(ours.requestsPerSecond / theirs.requestsPerSecond)
  cpuRatios.push(theirsCpu / oursCpu)
  console.log(
    `round ${round + 1}: thinking ${ours.requestsPerSecond.toFixed(0)}/s (p99 ${ours.p99Ms} ms, ${oursCpu.toFixed(0)} us of CPU), ` +
      `unthinking ${theirs.requestsPerSecond.toFixed(0)}/s (p99 ${theirs.p99Ms} ms, ${theirsCpu.toFixed(0)} us of CPU), ratio ${ratios.at(-1)!.toFixed(2)}`,
  )
}
console.log(
  `ratio: ${median(ratios).toFixed(2)} by requests, ${median(cpuRatios).toFixed(2)} by CPU time (goal: at least 0.60)`,
)
echo.kill()
await service.stop()

async function measured(pid: number, url: string) {
  const before = cpuSeconds(pid)
  const load = await drive(url, request)
  if (load.failures > 0) throw new Error(`${load.failures} requests failed`)
  return [load, ((cpuSeconds(pid) - before) * 1e6) / (load.requestsPerSecond * seconds)] as const
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
