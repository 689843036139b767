import type { SeriesMeaning } from '../domain/usage-series.ts'
import { metricRules } from './metrics.ts'
import { hashText } from './remote-write/label-hash.ts'
import { SeriesLabels } from './series-labels.ts'

/** What a series tells; undefined where it is of no use. The same labels always tell the same, through either door. */
export function interpret(
  labels: Iterable<readonly [string, string]>,
  defaultCluster: string,
): SeriesMeaning | undefined {
  const series = new SeriesLabels(labels, defaultCluster)
  const meaning = rules.get(series.name)?.(series)
  return meaning !== undefined && isNameable(meaning) ? meaning : undefined
}

/** What bears a longer name is left out: no database could find it by its name. */
function isNameable(meaning: SeriesMeaning): boolean {
  const named = 'subject' in meaning ? meaning.subject : 'entity' in meaning ? meaning.entity : meaning
  let bytes = 0
  for (const part of Object.values(named)) if (typeof part === 'string') bytes += Buffer.byteLength(part)
  return bytes <= longestNameBytes
}

const longestNameBytes = 2300

/** By the hash of its name alone; see Interpreter. */
export const mayUnderstand = (nameHash: number): boolean => hashes.has(nameHash)

export const understoodMetrics: readonly string[] = Object.keys(metricRules)

const rules = new Map(Object.entries(metricRules))
const hashes = new Set(understoodMetrics.map((name) => hashText(name)))
