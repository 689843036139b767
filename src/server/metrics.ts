import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObject,
  type MetricObjectWithValues,
  Registry,
} from 'prom-client'

/**
 * The default of 10 ms wakes an idle process 100 times a second, which is half of what an idle node uses. The interval is
 * part of the figures: an idle process reports an event loop lag of this length.
 */
const eventLoopSampleMs = 50

/** The metrics of the service. No label names an organisation or a key. */
export class HttpMetrics {
  readonly registry = new Registry()
  readonly #durations = new Durations()
  #writing: Promise<Buffer> | undefined

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: eventLoopSampleMs })
    this.registry.registerMetric(this.#durations as never)
  }

  durationsOf(method: string, route: string): RouteDurations {
    return this.#durations.durationsFor(`${method} ${route}`)
  }

  /**
   * Writes all metrics in Prometheus' text format. Requests that arrive while it is being written share the result, and so
   * do requests within four times as long afterwards (at most 100 ms). So scrapes take a fifth of the time at most while
   * writing takes up to 25 ms.
   */
  write(): Promise<Buffer> {
    if (this.#writing === undefined) {
      const startedAt = performance.now()
      const forget = () => {
        this.#writing = undefined
      }
      this.#writing = this.registry.metrics().then((text) => {
        setTimeout(forget, Math.min(maxReuseMs, 4 * (performance.now() - startedAt))).unref()
        return Buffer.from(text)
      })
      this.#writing.catch(forget)
    }
    return this.#writing
  }

  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read())
      },
    })
  }

  counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] })
  }
}

const maxReuseMs = 100
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

/** Counts an answer in a fraction of a microsecond; prom-client's own histogram would take as long as checking the key. */
class RouteDurations {
  readonly byStatus = new Map<number, { readonly counts: Float64Array; sum: number }>()

  observe(status: number, seconds: number): void {
    const series = this.byStatus.getOrInsertComputed(status, () => ({
      counts: new Float64Array(bounds.length + 1),
      sum: 0,
    }))
    let bucket = 0
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++
    series.counts[bucket]!++
    series.sum += seconds
  }
}

class Durations {
  readonly name = 'cheapside_http_request_duration_seconds'
  readonly help =
    'Time from the headers of a request to the end of its response. Status 499: the client disconnected before the end.'
  readonly #byRoute = new Map<string, RouteDurations>()

  durationsFor(methodAndRoute: string): RouteDurations {
    return this.#byRoute.getOrInsertComputed(methodAndRoute, () => new RouteDurations())
  }

  async get(): Promise<MetricObjectWithValues<never>> {
    const values: { labels: Record<string, string | number>; value: number; metricName: string }[] = []
    for (const [methodAndRoute, { byStatus }] of this.#byRoute) {
      const [method = '', route = ''] = methodAndRoute.split(' ')
      for (const [status, { counts, sum }] of byStatus) {
        const labels = { method, route, status: String(status) }
        let total = 0
        counts.forEach((count, bucket) => {
          total += count
          const le = bounds[bucket] ?? '+Inf'
          values.push({ labels: { le, ...labels }, value: total, metricName: `${this.name}_bucket` })
        })
        values.push({ labels, value: sum, metricName: `${this.name}_sum` })
        values.push({ labels, value: total, metricName: `${this.name}_count` })
      }
    }
    const described: Pick<MetricObject, 'name' | 'help'> = { name: this.name, help: this.help }
    return {
      ...described,
      type: 'histogram',
      aggregator: 'sum',
      values,
    } as unknown as MetricObjectWithValues<never>
  }

  reset(): void {
    for (const { byStatus } of this.#byRoute.values()) byStatus.clear()
  }
}
