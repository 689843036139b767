import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, eventually, startService } from '../test/service.ts'
import { fillMachines, processesPerMachine } from './machines/fill.ts'

// Measures GET /v1/vm_summaries and /v1/vm_recommendations for 1,000 machines of 200 processes with 14 days of samples
// every 15 seconds: first pages that are not cached, and pages that are. Arguments: machines, requests of each kind.

const [machines = 1000, questions = 20] = process.argv.slice(2).map(Number)
const days = 14
const today = Math.floor(Date.now() / 86_400_000)
const directory = mkdtempSync(join(tmpdir(), 'cheapside-machines-'))
const key = `csk_${'b'.repeat(12)}_${'s'.repeat(43)}`

const started = performance.now()
await fillMachines(directory, machines, days, 'default')
console.log(
  `${machines} machines x ${processesPerMachine} processes x ${days} days written in ${((performance.now() - started) / 1000).toFixed(0)} s; ` +
    `${(statSync(join(directory, 'cheapside.db')).size / 2 ** 20).toFixed(0)} MiB`,
)

const service = await startService({
  directory,
  env: { CHEAPSIDE_BOOTSTRAP_KEY: key, CHEAPSIDE_RATE_LIMIT: '0' },
  withoutKey: true,
})
await eventually(async () => (await ask(service.url, '/readyz')).status === 200)

async function measure(name: string, path: (question: number) => string, times = questions): Promise<void> {
  const took: number[] = []
  const work: number[] = []
  let items = 0
  for (let question = 0; question < times; question++) {
    const before = performance.now()
    const used = cpuSeconds()
    const { json, status } = await ask(service.url, path(question), { key })
    if (status !== 200)
      throw new Error(`${status} ${JSON.stringify(json)} ${service.output.err.slice(-2000)}`)
    items = json.length
    took.push(performance.now() - before)
    work.push((cpuSeconds() - used) * 1000)
  }
  const at = (of: number[], share: number) =>
    of.toSorted((a, b) => a - b)[Math.min(of.length - 1, Math.floor(share * of.length))]!.toFixed(0)
  console.log(
    `${name}: ${items} items, p50 ${at(took, 0.5)} ms, p99 ${at(took, 0.99)} ms; ` +
      `work of the service p50 ${at(work, 0.5)} ms, p99 ${at(work, 0.99)} ms`,
  )
}

/** Returns the CPU seconds of all threads of the service. Linux counts hundredths of a second. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${service.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

process.on('exit', () => service.child.kill())

/** Returns a window of fourteen days that nobody has requested before. */
const newWindow = (question: number) => {
  const end = (today * 24 - question) * 3_600_000
  return `start_date=${new Date(end - days * 86_400_000).toISOString()}&end_date=${new Date(end).toISOString()}`
}
const summaries = (limit: number, n: number) => `/v1/vm_summaries?limit=${limit}&${newWindow(n)}`
const recommendations = (limit: number, n: number) =>
  `/v1/vm_recommendations?limit=${limit}&${newWindow(n + 40)}`
await measure('vm_summaries, one machine, anew', (n) => `/v1/vm_summaries?vm=vm-00007&${newWindow(n + 80)}`)
await measure('vm_recommendations, 100 processes, anew', (n) => recommendations(100, n))
await measure('vm_recommendations, 100 processes, again', () => recommendations(100, 0))
await measure('vm_recommendations, 1000 processes, anew', (n) => recommendations(1000, n + 20))
await measure('vm_recommendations, 1000 processes, again', () => recommendations(1000, 20))
await measure('vm_summaries, 10 machines, anew', (n) => summaries(10, n))
await measure('vm_summaries, 10 machines, again', () => summaries(10, 0))
await measure('vm_summaries, 100 machines, anew', (n) => summaries(100, n + 30), 3)
await measure('vm_summaries, 100 machines, again', () => summaries(100, 30))
await service.stop()
rmSync(directory, { recursive: true, force: true })
