import { hashText } from './remote-write/label-hash.ts'

/** The labels of a series, and the cluster it belongs to. */
export class SeriesLabels {
  readonly name: string
  readonly cluster: string
  readonly #labels: Map<string, string>

  /** Parts of identities never hold a NUL, nor half a surrogate pair, which has no UTF-8. */
  constructor(labels: Iterable<readonly [string, string]>, defaultCluster: string) {
    this.#labels = new Map()
    for (const [name, value] of labels)
      this.#labels.set(name, (value.includes('\0') ? value.replaceAll('\0', '') : value).toWellFormed())
    this.name = this.get('__name__')
    this.cluster = this.first('cluster', 'cluster_name') || defaultCluster
  }

  /** '' where there is no such label, as Prometheus has it. */
  get(label: string): string {
    return this.#labels.get(label) ?? ''
  }

  /** The first of these that is not empty. */
  first(...labels: readonly string[]): string {
    for (const label of labels) {
      const value = this.get(label)
      if (value !== '') return value
    }
    return ''
  }

  /** The exporter's value instead of the scraper's: on a conflict of names the scraper renames the former to exported_... */
  exporterLabel(...labels: readonly string[]): string {
    return this.first(...labels.map((label) => `exported_${label}`), ...labels)
  }

  entries(): Iterable<[string, string]> {
    return this.#labels
  }

  /**
   * Which life of a subject the series is of (all labels but the name), and who scraped it. Labels that distinguish parts of one
   * measure apart are passed over.
   */
  origin(...partLabels: readonly string[]): { instance: number; source: number; rank: number } {
    const parts = [...this.#labels]
      .filter(([name, value]) => name !== '__name__' && value !== '' && !partLabels.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const hash = (pairs: [string, string][]) =>
      pairs.reduce((so, [name, value]) => hashText(`${name}\0${value}\0`, so), 0x811c9dc5)
    return {
      instance: hash(parts),
      source: hash(parts.filter(([name]) => sourceLabels.has(name))),
      rank: this.get('metrics_path').endsWith('/cadvisor') ? 2 : this.get('metrics_path') === '' ? 1 : 0,
    }
  }
}

/** Who scraped, and which of a redundant pair; not where, since what is scraped moves. */
const sourceLabels = new Set([
  'job',
  'metrics_path',
  'endpoint',
  'prometheus',
  'prometheus_replica',
  '__replica__',
  'replica',
])
