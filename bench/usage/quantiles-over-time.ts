import { startVictoriaMetrics } from '../../test/peers/victoria-metrics.ts'
import { days, type Month, startMs } from './month.ts'

export const quantiles = [0.5, 0.95, 0.99, 1]

/** For each container, the quantiles of CPU in cores, then those of memory in bytes. */
export interface Asked {
  readonly cpuSeconds: number
  readonly seconds: number
  readonly answers: readonly (readonly number[])[]
}

/**
 * Loads the samples into VictoriaMetrics and queries the quantiles of all of them, one query each, as any of its users
 * would.
 */
export async function askVictoria(months: readonly Month[], step: number): Promise<Asked> {
  const victoria = await startVictoriaMetrics([
    '-search.maxQueryDuration=20m',
    '-search.maxPointsPerTimeseries=200000',
  ])
  try {
    await load(victoria.url, months, step)
    // The rate between two consecutive samples, as digests have it; rate() would smooth.
    const rate = `irate(container_cpu_usage_seconds_total[${2 * step}m])[${days}d:${step}m]`
    const memory = `container_memory_working_set_bytes[${days}d]`
    const queries = [rate, memory].flatMap((of) => quantiles.map((q) => `quantile_over_time(${q}, ${of})`))
    const answers: number[][] = months.map(() => [])
    const cpu = victoria.cpuSeconds()
    const began = performance.now()
    for (const query of queries)
      for (const [container, value] of await ask(victoria.url, query, step)) answers[container]!.push(value)
    if (answers.some(({ length }) => length !== queries.length)) throw new Error('a series is missing')
    return {
      cpuSeconds: victoria.cpuSeconds() - cpu,
      seconds: (performance.now() - began) / 1000,
      answers,
    }
  } finally {
    await victoria.stop()
  }
}

async function load(url: string, months: readonly Month[], step: number): Promise<void> {
  for (const [container, { cores, bytes }] of months.entries()) {
    const timestamps = Array.from(cores, (_, sample) => startMs + sample * step * 60_000)
    let total = 0
    const counter = Array.from(cores, (value) => (total += value * 60 * step)).map(
      (value) => Math.round(value * 1e6) / 1e6,
    )
    const pod = { namespace: 'shop', pod: String(container), container: 'app' }
    const lines = [
      { metric: { __name__: 'container_cpu_usage_seconds_total', ...pod }, values: counter, timestamps },
      {
        metric: { __name__: 'container_memory_working_set_bytes', ...pod },
        values: Array.from(bytes),
        timestamps,
      },
    ]
    const { ok } = await fetch(`${url}/api/v1/import`, {
      method: 'POST',
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
    if (!ok) throw new Error('VictoriaMetrics did not take the samples')
  }
  await fetch(`${url}/internal/force_merge`)
  await fetch(`${url}/internal/force_flush`)
}

/** Queries at the time of the last sample. */
async function ask(url: string, query: string, step: number): Promise<[number, number][]> {
  const time = String((startMs + days * 86_400_000) / 1000 - step * 60)
  const answer = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query, time, nocache: '1' }),
  })
  const { data, error } = (await answer.json()) as {
    data?: { result: { metric: { pod: string }; value: [number, string] }[] }
    error?: string
  }
  if (data === undefined) throw new Error(error)
  return data.result.map(({ metric, value }) => [Number(metric.pod), Number(value[1])])
}
