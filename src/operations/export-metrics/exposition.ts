import { round } from '../../domain/money.ts'
import { CompressedLines } from '../recommend-sizes/compressed-lines.ts'

/** A gauge. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

/**
 * Gauges in Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats), which wants all lines of a
 * metric together: they are kept by metric, compressed, until they are written.
 */
export class Exposition {
  readonly #lines = new Map<MetricFamily, CompressedLines>()

  /** A family is written in the order given here, also without samples. */
  constructor(families: Iterable<MetricFamily>) {
    for (const family of families) this.#lines.set(family, new CompressedLines())
  }

  /** Nothing where there is no value. */
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

/** Names come from clusters: any character may occur. */
const escaped = (text: string): string =>
  text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
