import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { AdviceRow, DroppedAdvice } from './rows/advice-row.ts'
import type { Advice } from './schema.ts'

export type AdviceSummary = ReturnType<typeof summaryOf>

const summaryOf = (advice: Advice) => {
  const { id, kind, title, cluster, namespace, machine, risk, confidence } = advice
  const { findings, idle_days, is_estimate } = advice
  const place = { cluster, namespace, machine }
  return { id, kind, title, ...place, risk, confidence, findings, idle_days, is_estimate }
}

export interface ListedAdvice {
  readonly advice: AdviceSummary
  readonly worth: number
  readonly coveredBy: string | null
}

export interface ListFacts {
  readonly dropped: DroppedAdvice
  readonly hours: HourRange
  readonly subjects: number
}

export interface AdviceList extends ListFacts {
  readonly rows: readonly ListedAdvice[]
  find(ids: ReadonlySet<string>): Map<string, Advice>
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
export function encodeList(facts: ListFacts, rows: readonly AdviceRow[]): Uint8Array {
  const chunks: Buffer[] = []
  for (let at = 0; at < rows.length; at += rowsInChunk) {
    const lines = rows.slice(at, at + rowsInChunk).map(({ advice }) => JSON.stringify(advice))
    chunks.push(zstdCompressSync(lines.join('\n')))
  }
  const head: Head = {
    facts,
    lengths: chunks.map(({ length }) => length),
    rows: rows.map(({ advice, worth, coveredBy }) => ({ advice: summaryOf(advice), worth, coveredBy })),
  }
  const packed = zstdCompressSync(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(packed.length)
  return Buffer.concat([length, packed, ...chunks])
}

interface Head {
  readonly facts: ListFacts
  readonly lengths: readonly number[]
  readonly rows: readonly ListedAdvice[]
}

export function decodeList(bytes: Uint8Array): AdviceList {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const headEnd = 4 + buffer.readUInt32LE(0)
  const { facts, lengths, rows }: Head = JSON.parse(
    zstdDecompressSync(buffer.subarray(4, headEnd)).toString(),
  )
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
      const found = new Map<string, Advice>()
      for (const [place, { advice }] of rows.entries()) {
        if (!ids.has(advice.id)) continue
        const lines = chunks.getOrInsertComputed(Math.floor(place / rowsInChunk), linesOf)
        found.set(advice.id, JSON.parse(lines[place % rowsInChunk]!))
      }
      return found
    },
  }
}
