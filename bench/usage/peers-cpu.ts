import { encodeRequest } from '../../src/collectors/remote-write/encode.ts'
import { startPrometheus } from '../../test/peers/prometheus.ts'
import { startVictoriaMetrics } from '../../test/peers/victoria-metrics.ts'
import { clusterSeries, valueAt } from './cluster-stream.ts'

/** CPU seconds per million samples of Prometheus' own remote write receiver and of VictoriaMetrics, on our stream. */
const containers = Number(process.argv[2] ?? 1000)
const scrapes = Number(process.argv[3] ?? 60)
const perRequest = 2000
const labels = clusterSeries(containers)
const startMs = Date.now() - scrapes * 30_000

for (const [name, start] of [
  ['Prometheus', startPrometheus],
  ['VictoriaMetrics', startVictoriaMetrics],
] as const) {
  const peer = await start()
  let samples = 0
  let before = 0
  try {
    for (let scrape = 0; scrape < scrapes; scrape++) {
      if (scrape === 1) before = peer.cpuSeconds()
      const timeMs = startMs + scrape * 30_000
      for (let from = 0; from < labels.length; from += perRequest) {
        const series = labels.slice(from, from + perRequest).map((of, index) => ({
          labels: of,
          samples: [{ timeMs, value: valueAt(of[0]![1], from + index, scrape) }],
        }))
        const { status } = await fetch(`${peer.url}/api/v1/write`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
          body: Buffer.from(encodeRequest(series)),
        })
        if (status !== 204) throw new Error(`${name} answered ${status}`)
        if (scrape > 0) samples += series.length
      }
    }
    const perMillion = ((peer.cpuSeconds() - before) / samples) * 1e6
    console.log(
      `${name}: ${perMillion.toFixed(2)} CPU seconds per million samples, ${(peer.residentBytes() / 2 ** 20).toFixed(0)} MiB resident`,
    )
  } finally {
    await peer.stop()
  }
}
