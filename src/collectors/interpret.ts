import type { SeriesMeaning } from '../domain/usage-series.ts'
import { metricRules } from './metrics.ts'
import { hashText } from './remote-write/label-hash.ts'
import { SeriesLabels } from './series-labels.ts'

/** The meaning of a series; undefined if it is not used. The same labels always have the same meaning, pushed or queried. */
export function interpret(
  labels: Iterable<readonly [string, string]>,
  defaultCluster: string,
): SeriesMeaning | undefined {
  const meaning = meaningOf(labels, defaultCluster)
  return meaning !== undefined && isNameable(meaning) ? meaning : undefined
}

/** The same, whether or not it can be kept. */
export function meaningOf(
  labels: Iterable<readonly [string, string]>,
  defaultCluster: string,
): SeriesMeaning | undefined {
  const series = new SeriesLabels(labels, defaultCluster)
  return rules.get(series.name)?.(series)
}

/**
 * What bears longer names is not kept: no database could find it by them. A cluster counts as if it had the longest name
 * that a request may give to series without one, so that who is asked before that name is known says the same.
 */
export function isNameable(meaning: SeriesMeaning): boolean {
  const named = 'subject' in meaning ? meaning.subject : 'entity' in meaning ? meaning.entity : meaning
  let bytes = 0
  for (const [part, name] of Object.entries(named))
    if (typeof name === 'string')
      bytes += Math.max(part === 'cluster' ? defaultClusterBytes : 0, Buffer.byteLength(name))
  return bytes <= longestNamesBytes
}

/** In UTF-8, together. */
export const longestNamesBytes = 2300
/** 200 characters of four bytes. */
const defaultClusterBytes = 800

/** By the hash of its name alone; see Interpreter. */
export const mayInterpret = (nameHash: number): boolean => hashes.has(nameHash)

export const knownMetrics: readonly string[] = Object.keys(metricRules)

const rules = new Map(Object.entries(metricRules))
const hashes = new Set(knownMetrics.map((name) => hashText(name)))
