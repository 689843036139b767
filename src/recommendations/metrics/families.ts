import { round } from '../../domain/money.ts'
import { CompressedLines } from '../../runtime/compressed-lines.ts'

const workload = ['cluster', 'namespace', 'kind', 'workload', 'container'] as const
const namespace = ['cluster', 'namespace'] as const
const priced = ['provider', 'region', 'instance_type', 'source'] as const

/**
 * Every metric, in the order in which they are written. The names must differ from those of the metrics that agents
 * send.
 */
export const families = {
  requestCores: {
    name: 'cheapside_workload_cpu_request_cores',
    help: 'CPU request of the container in each replica.',
    labels: workload,
  },
  recommendedCores: {
    name: 'cheapside_workload_cpu_request_recommended_cores',
    help: 'Recommended CPU request, as decided for the last day from up to 30 days; absent without enough usage.',
    labels: workload,
  },
  requestBytes: {
    name: 'cheapside_workload_memory_request_bytes',
    help: 'Memory request of the container in each replica.',
    labels: workload,
  },
  recommendedBytes: {
    name: 'cheapside_workload_memory_request_recommended_bytes',
    help: 'Recommended memory request, as decided for the last day from up to 30 days; absent without enough usage.',
    labels: workload,
  },
  replicas: {
    name: 'cheapside_workload_replicas',
    help: 'Replicas at the end of the window.',
    labels: workload,
  },
  spend: {
    name: 'cheapside_namespace_spend_usd_per_month',
    help: 'Cost of the namespace in a month of 730 hours.',
    labels: namespace,
  },
  recommendedSpend: {
    name: 'cheapside_namespace_spend_recommended_usd_per_month',
    help: 'Cost of the namespace with the recommended requests, if no other namespace changes.',
    labels: namespace,
  },
  savings: {
    name: 'cheapside_namespace_savings_usd_per_month',
    help: 'Savings of the namespace with the recommended requests; negative if it needs more.',
    labels: namespace,
  },
  possibleSavings: {
    name: 'cheapside_savings_usd_per_month',
    help: 'Savings of all open recommendations, by part; no dollar counts twice.',
    labels: ['part'],
  },
  nodePrice: {
    name: 'cheapside_node_price_usd_per_hour',
    help: 'Price of a node seen in the last day; the source base is an estimate.',
    labels: ['cluster', 'node', ...priced],
  },
  vmCores: {
    name: 'cheapside_vm_cores',
    help: 'Cores of a machine that is measured by an agent.',
    labels: ['vm'],
  },
  vmRecommendedCores: {
    name: 'cheapside_vm_recommended_cores',
    help: 'Cores that the processes of a machine need, as decided for the last day.',
    labels: ['vm'],
  },
  vmBytes: {
    name: 'cheapside_vm_memory_bytes',
    help: 'Memory of a machine that is measured by an agent.',
    labels: ['vm'],
  },
  vmRecommendedBytes: {
    name: 'cheapside_vm_memory_recommended_bytes',
    help: 'Memory that the processes of a machine need, as decided for the last day.',
    labels: ['vm'],
  },
  vmPrice: {
    name: 'cheapside_vm_price_usd_per_hour',
    help: 'Price of a machine; the source base is an estimate.',
    labels: ['vm', ...priced],
  },
  leftOut: {
    name: 'cheapside_metrics_left_out',
    help: 'Objects that are left out because of the limit for each kind.',
    labels: ['kind'],
  },
  generatedAt: {
    name: 'cheapside_metrics_generated_timestamp_seconds',
    help: 'When these metrics were calculated.',
    labels: [],
  },
} as const satisfies Record<string, MetricFamily>

interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

/**
 * Gauges in Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats). The format requires all
 * lines of a metric together, so lines are kept by metric, compressed, until they are written.
 */
export class Exposition {
  readonly #lines = new Map<MetricFamily, CompressedLines>()

  /** Families are written in the order given here, even without samples. */
  constructor(families: Iterable<MetricFamily>) {
    for (const family of families) this.#lines.set(family, new CompressedLines())
  }

  add(family: MetricFamily, values: readonly string[], value: number | null | undefined): void {
    if (value === null || value === undefined || !Number.isFinite(value)) return
    const pairs = family.labels.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`)
    const labels = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
    this.#lines
      .get(family)!
      .add(`${family.name}${labels} ${Number.isInteger(value) ? value : round(value, 6)}`)
  }

  *pieces(): Generator<string> {
    for (const [{ name, help }, lines] of this.#lines) {
      yield `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
      for (const piece of lines.pieces(0, Number.POSITIVE_INFINITY)) yield `${piece.join('\n')}\n`
    }
  }
}

/** Names come from clusters and may contain any character. */
const escaped = (text: string): string =>
  text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
