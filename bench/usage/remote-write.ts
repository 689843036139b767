import { readFileSync } from 'node:fs'
import { encodeRequest } from '../../src/ingest/remote-write/encode.case.ts'
import { startPrometheus } from '../../test/peers/prometheus.ts'
import { startVictoriaMetrics } from '../../test/peers/victoria-metrics.ts'
import { eventually, startService } from '../../test/service.ts'
import { clusterSeries, valueAt } from './cluster-stream.ts'

/**
 * Measures CPU seconds per million samples over HTTP to disk: Cheapside until everything is digested and committed,
 * Prometheus' own receiver, and VictoriaMetrics, with the same requests to each. Also prints the resident memory
 * afterwards.
 *   node bench/usage/remote-write.ts [containers] [scrapes]
 */
const containers = Number(process.argv[2] ?? 1000)
const scrapes = Number(process.argv[3] ?? 40)
const perRequest = 2000
const labels = clusterSeries(containers)
const startMs = Date.now() - scrapes * 30_000
console.log(`${labels.length} series, ${scrapes} scrapes, ${perRequest} samples a request, four senders`)

for (const start of [startCheapside, startedPrometheus, startedVictoria]) {
  const target = await start()
  const began = performance.now()
  let cpu = 0
  for (let scrape = 0; scrape < scrapes; scrape++) {
    if (scrape === 1) {
      await target.settled()
      cpu = target.cpuSeconds()
    }
    const bodies = requests(scrape)
    const send = async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const { status } = await fetch(`${target.url}/api/v1/write`, {
          method: 'POST',
          headers: {
            'content-type': 'application/x-protobuf',
            'content-encoding': 'snappy',
            ...target.headers,
          },
          body: Buffer.from(body),
        })
        if (status !== 204) throw new Error(`${target.name} answered ${status}`)
      }
    }
    await Promise.all([send(), send(), send(), send()])
  }
  await target.settled()
  const samples = labels.length * (scrapes - 1)
  console.log(
    `${target.name}: ${(((target.cpuSeconds() - cpu) / samples) * 1e6).toFixed(2)} CPU seconds per million samples, ` +
      `${(target.residentBytes() / 2 ** 20).toFixed(0)} MiB resident, ${((performance.now() - began) / 1000).toFixed(1)} s in all`,
  )
  await target.stop()
}

async function startCheapside() {
  const service = await startService({
    env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_USAGE_SERIES: '10000000' },
  })
  const pid = service.child.pid!
  return {
    name: 'Cheapside',
    url: service.url,
    headers: { 'x-api-key': service.key },
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    residentBytes: () =>
      1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    /** Resolves when all samples that were understood are digested and committed: the figures change with commits. */
    settled: async () => {
      let last = ''
      await eventually(async () => {
        // Writing metrics takes CPU time of the service that should not be measured.
        await new Promise((resolve) => setTimeout(resolve, 500))
        const { text } = await service.request('/metrics')
        const count = (kind: string) => Number(new RegExp(`"${kind}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
        const judged = [...text.matchAll(/usage_samples_total\{[^}]*\} (\d+)/g)].reduce(
          (sum, [, n]) => sum + Number(n),
          0,
        )
        const same = `${judged} ${count('understood')}` === last
        last = `${judged} ${count('understood')}`
        return same && judged >= count('understood') && judged > 0
      })
    },
    stop: () => service.stop(),
  }
}

async function startedPrometheus() {
  return { name: 'Prometheus', headers: {}, settled: async () => undefined, ...(await startPrometheus()) }
}

async function startedVictoria() {
  const peer = await startVictoriaMetrics()
  const settled = async () => void (await fetch(`${peer.url}/internal/force_flush`))
  return { name: 'VictoriaMetrics', headers: {}, ...peer, settled }
}

function requests(scrape: number): Uint8Array[] {
  const timeMs = startMs + scrape * 30_000
  const list: Uint8Array[] = []
  for (let from = 0; from < labels.length; from += perRequest)
    list.push(
      encodeRequest(
        labels.slice(from, from + perRequest).map((of, index) => ({
          labels: of,
          samples: [{ timeMs, value: valueAt(of[0]![1], from + index, scrape) }],
        })),
      ).slice(),
    )
  return list
}
