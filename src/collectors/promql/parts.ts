import { hash } from 'node:crypto'
import type { PromqlClient } from './client.ts'

/** One of several parts of what an engine has, which are collected each by itself. From 1 on. */
export interface CollectionPart {
  readonly number: number
  readonly count: number
}

/**
 * Matchers that select a part, to be queried one after the other: all series of a namespace are in one part, and those without a
 * namespace in the first. PromQL cannot hash, so the namespaces of the span are listed. None where the part has nothing.
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
    const own = names.filter((name) => name !== '' && partOf(name, part.count) === part.number)
    if (own.length > 0)
      selected.push([...absent, `${label}=~"${own.sort().map(quoted).join('|')}"`].join(','))
    absent.push(`${label}=""`)
  }
  return part.number === 1 ? [...selected, absent.join(',')] : selected
}

/** Where a series says its namespace, first that which counts; see exporterLabel and heap-labels.ts. */
const namespaceLabels = [
  'exported_namespace',
  'namespace',
  'kubernetes_namespace',
  'k8s_namespace_name',
] as const

const partOf = (namespace: string, count: number): number =>
  1 + (hash('sha256', namespace, 'buffer').readUInt32LE(0) % count)

/** As a literal of a regular expression within a PromQL string. */
const quoted = (name: string): string =>
  name
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
