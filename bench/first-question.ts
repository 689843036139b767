import { readFileSync } from 'node:fs'
import { ask, type RunningService } from '../test/service.ts'
import { filledDirectory, serviceOn } from './namespaces/filled-service.ts'

// Measures the first request of a fresh process: one namespace of 50 containers over 30 days, over HTTP, then another
// one of the same cluster. Prints CPU time of all threads of the service, and duration.
//   node bench/first-question.ts [containers] [starts]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected.

const containers = Number(process.argv[2] ?? 50)
const starts = Number(process.argv[3] ?? 5)
const filled = await filledDirectory(containers, 30)
console.log(`${containers} containers of 30 days in namespaces of 50`)
for (let start = 1; start <= starts; start++) {
  const { service, key } = await serviceOn(filled)
  const first = await cost(service, key, 0)
  const next = await cost(service, key, containers > 50 ? 1 : 0)
  console.log(`start ${start}: first ${first}; next ${next}`)
  await service.stop()
}

async function cost(service: RunningService, key: string, namespace: number): Promise<string> {
  const name = `ns-${String(namespace).padStart(4, '0')}`
  const path = `/v1/namespace_recommendations?cluster=bench&namespace=${name}&${filled.window}`
  const [cpu, at] = [cpuMs(service), performance.now()]
  const { status, text } = await ask(service.url, path, { key })
  if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 300)}`)
  const took = performance.now() - at
  return `${cpuMs(service) - cpu} ms of CPU, ${took.toFixed(0)} ms`
}

/** Linux counts CPU time in hundredths of a second. */
function cpuMs({ child }: RunningService): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user! + system!) * 10
}
