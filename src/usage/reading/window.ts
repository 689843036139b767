import { hourMs } from '../../domain/time.ts'
import { type Digest, isEmptyDigest, mergeDigest } from '../digest/digest.ts'

/** The hour is the least that is known: it belongs to the window in which it begins, so that adjoining windows add up. */
export function hoursOfWindow(startMs: number, endMs: number): { from: number; to: number } {
  return { from: Math.ceil(startMs / hourMs), to: Math.ceil(endMs / hourMs) }
}

/** A digest from one source of samples. */
interface SourcedDigest {
  readonly source: string
  readonly digest: Digest
}

/**
 * One digest an hour. Parts from one source are merged; where several sources cover the same hour (samples that
 * were pushed, and pulled as well) the one with most samples is believed, since both saw the same usage.
 */
export function combineHours(rows: Iterable<SourcedDigest>): Digest[] {
  const hours = new Map<number, Map<string, Digest>>()
  for (const { source, digest } of rows) {
    const sources = hours.get(digest.hour) ?? new Map<string, Digest>()
    hours.set(digest.hour, sources)
    const known = sources.get(source)
    if (known === undefined) sources.set(source, digest)
    else mergeDigest(known, digest)
  }
  return [...hours.values()]
    .map(fullest)
    .filter((digest) => !isEmptyDigest(digest))
    .sort((a, b) => a.hour - b.hour)
}

function fullest(sources: ReadonlyMap<string, Digest>): Digest {
  let best: [string, Digest] | undefined
  for (const entry of sources) {
    const [name, digest] = entry
    if (
      best === undefined ||
      digest.samples > best[1].samples ||
      (digest.samples === best[1].samples && name < best[0])
    )
      best = entry
  }
  return best![1]
}
