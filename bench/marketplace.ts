import { exampleRequest } from '../test/example-request.ts'
import { startService } from '../test/service.ts'
import { drive, needWrk } from './load.ts'

// Measures how registering 10,000 entries affects other callers: p99 of recommendations before and during it.

needWrk()
const service = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0' } })
const other = (
  await service.request('/admin/keys', {
    body: { organisation: 'other', name: 'o', scopes: ['marketplace:write'] },
  })
).json
const question = exampleRequest()
const load = {
  seconds: 6,
  connections: 2,
  method: 'POST',
  headers: { 'X-API-KEY': service.key, 'Content-Type': 'application/json' },
  bodies: [JSON.stringify(question)],
}
await others()
const quiet = await others()
const times: number[] = []
let going = true
const registering = (async () => {
  for (let round = 0; going; round++) {
    const entries = Array.from({ length: 10_000 }, (_, i) => ({
      instance_type: `rack-${i % 500}`,
      region: `hall-${Math.floor(i / 500)}`,
      cost_per_hour: 0.01 + ((i * 7 + round) % 1000) / 1000,
      cpu_cores: 1 + (i % 64),
      ram_gb: 2 + (i % 256),
    }))
    const started = performance.now()
    const { status } = await service.request('/marketplace/providers', {
      key: other.key,
      body: { name: 'racks', entries },
    })
    if (status !== 200) throw new Error(`registration answered ${status}`)
    times.push(performance.now() - started)
  }
})()
const busy = await others()
going = false
await registering
console.log(`alone: p50 ${quiet.p50Ms} ms, p99 ${quiet.p99Ms} ms, ${quiet.requestsPerSecond.toFixed(0)}/s`)
console.log(
  `while 10,000 entries are registered ${times.length} times in a row (${(times.reduce((a, b) => a + b, 0) / times.length).toFixed(0)} ms each): ` +
    `p50 ${busy.p50Ms} ms, p99 ${busy.p99Ms} ms, ${busy.requestsPerSecond.toFixed(0)}/s`,
)
console.log(`p99 ratio: ${(busy.p99Ms / quiet.p99Ms).toFixed(1)}`)
await service.stop()

async function others() {
  const felt = await drive(`${service.url}/recommendations`, load)
  if (felt.failures > 0) throw new Error(`${felt.failures} requests failed`)
  return felt
}
