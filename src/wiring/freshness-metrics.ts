import { Gauge } from 'prom-client'
import type { BuildManifest } from '../domain/manifest.ts'
import type { Clock } from '../domain/time.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import { freshnessOf } from '../refresh/freshness.ts'

/** How old each provider's prices are, and how its last refresh went. */
export function watchFreshness(metrics: HttpMetrics, manifest: () => BuildManifest, now: Clock): void {
  new Gauge({
    name: 'cheapside_prices_newest_day_timestamp_seconds',
    help: "The newest day of a provider's prices.",
    labelNames: ['provider'],
    registers: [metrics.registry],
    collect() {
      for (const { provider, newestDay } of freshnessOf(manifest(), now())) {
        if (newestDay !== '') this.set({ provider }, Date.parse(newestDay) / 1000)
      }
    },
  })
  new Gauge({
    name: 'cheapside_prices_refresh_outcome',
    help: "1 for the outcome of a provider's last refresh.",
    labelNames: ['provider', 'outcome'],
    registers: [metrics.registry],
    collect() {
      this.reset()
      for (const { provider, outcome } of freshnessOf(manifest(), now())) this.set({ provider, outcome }, 1)
    },
  })
}
