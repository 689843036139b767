import { hash } from 'node:crypto'
import type { PromqlClient } from './client.ts'

/** One of several parts of an engine's series, which are collected separately. Numbers begin at 1. */
export interface CollectionPart {
  readonly number: number
  readonly count: number
}

/**
 * Returns the matchers that select a part, to be queried one after the other. All series of a namespace are in one part,
 * and those without a namespace are in the first. PromQL cannot hash, so the namespaces of the span are listed. The list
 * is empty if the part has no series.
 */
export async function partMatchers(
  client: PromqlClient,
  part: CollectionPart,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<string[]> {
  const selected: string[] = []
  const absent: string[] = []
  for (const label of namespaceLabels) {
    const names = await client.labelValues(label, fromMs, toMs)
    const members = names.filter((name) => name !== '' && partOf(name, part.count) === part.number)
    if (members.length > 0)
      selected.push([...absent, `${label}=~"${members.sort().map(quoted).join('|')}"`].join(','))
    absent.push(`${label}=""`)
  }
  return part.number === 1 ? [...selected, absent.join(',')] : selected
}

/**
 * Labels that may contain the namespace; the first that is present counts. See exporterLabel, and heapSeries in
 * kubernetes-labels.ts.
 */
const namespaceLabels = [
  'exported_namespace',
  'namespace',
  'kubernetes_namespace',
  'k8s_namespace_name',
] as const

const partOf = (namespace: string, count: number): number =>
  1 + (hash('sha256', namespace, 'buffer').readUInt32LE(0) % count)

/** Quotes a name as a literal of a regular expression within a PromQL string. */
const quoted = (name: string): string =>
  name
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
