import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { DroppedListRows, RecommendationRow } from './rows/recommendation-row.ts'
import type { Recommendation } from './schema.ts'

export type RecommendationSummary = ReturnType<typeof summaryOf>

const summaryOf = (recommendation: Recommendation) => {
  const { id, kind, title, cluster, namespace, machine, risk, confidence } = recommendation
  const { findings, idle_days, is_estimate } = recommendation
  const place = { cluster, namespace, machine }
  return { id, kind, title, ...place, risk, confidence, findings, idle_days, is_estimate }
}

export interface ListedRecommendation {
  readonly recommendation: RecommendationSummary
  readonly worth: number
  readonly coveredBy: string | null
}

export interface ListFacts {
  readonly dropped: DroppedListRows
  readonly hours: HourRange
  readonly subjects: number
}

export interface RecommendationList extends ListFacts {
  readonly rows: readonly ListedRecommendation[]
  find(ids: ReadonlySet<string>): Map<string, Recommendation>
}

const rowsInChunk = 250

/**
 * A list as bytes, so that a page of it is read without the rest:
 *
 *     length of the head (4 bytes), head, chunks
 *
 * The head has the facts, the lengths of the chunks, and a summary of each row. A chunk has 250 recommendations, one a line.
 * Head and chunks are JSON, compressed each by itself.
 */
export function encodeList(facts: ListFacts, rows: readonly RecommendationRow[]): Uint8Array {
  const chunks: Buffer[] = []
  for (let at = 0; at < rows.length; at += rowsInChunk) {
    const lines = rows.slice(at, at + rowsInChunk).map(({ recommendation }) => JSON.stringify(recommendation))
    chunks.push(zstdCompressSync(lines.join('\n')))
  }
  const head: Head = {
    facts,
    lengths: chunks.map(({ length }) => length),
    rows: rows.map(({ recommendation, worth, coveredBy }) => ({
      advice: summaryOf(recommendation),
      worth,
      coveredBy,
    })),
  }
  const packed = zstdCompressSync(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(packed.length)
  return Buffer.concat([length, packed, ...chunks])
}

interface Head {
  readonly facts: ListFacts
  readonly lengths: readonly number[]
  readonly rows: readonly StoredRow[]
}

type StoredRow = Omit<ListedRecommendation, 'recommendation'> & { readonly advice: RecommendationSummary }

export function decodeList(bytes: Uint8Array): RecommendationList {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const headEnd = 4 + buffer.readUInt32LE(0)
  const head: Head = JSON.parse(zstdDecompressSync(buffer.subarray(4, headEnd)).toString())
  const { facts, lengths } = head
  const rows = head.rows.map(({ advice, ...row }) => ({ ...row, recommendation: advice }))
  const starts = [headEnd]
  for (const length of lengths) starts.push(starts.at(-1)! + length)
  const linesOf = (chunk: number) =>
    zstdDecompressSync(buffer.subarray(starts[chunk], starts[chunk + 1]))
      .toString()
      .split('\n')
  return {
    ...facts,
    rows,
    find: (ids) => {
      const chunks = new Map<number, string[]>()
      const found = new Map<string, Recommendation>()
      for (const [place, { recommendation }] of rows.entries()) {
        if (!ids.has(recommendation.id)) continue
        const lines = chunks.getOrInsertComputed(Math.floor(place / rowsInChunk), linesOf)
        found.set(recommendation.id, JSON.parse(lines[place % rowsInChunk]!))
      }
      return found
    },
  }
}
