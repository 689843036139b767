import { type FileHandle, open } from 'node:fs/promises'
import { brotliDecompressSync, createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { AsyncBuffer, Compressors } from 'hyparquet'
import type { BillFormat, BillLine } from '../../domain/bill-line.ts'
import { billFormats } from '../../providers/bills/formats.ts'
import { BadBill, CsvRows } from './csv-rows.ts'

type OnLine = (line: BillLine) => void

/**
 * Reads a bill from a file: CSV, CSV with gzip, or Parquet. Returns its format; throws BadBill if it has none that is known.
 * One piece of the file, or one row group of Parquet, is in memory at a time.
 */
export async function readBill(file: string, onLine: OnLine): Promise<BillFormat['name']> {
  const handle = await open(file)
  try {
    const head = Buffer.alloc(4)
    await handle.read(head, 0, 4, 0)
    if (head.toString('latin1') === 'PAR1') {
      const { size } = await handle.stat()
      return await readParquet(parquetFile(handle, size), onLine)
    }
    const bytes = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 2 ** 20 })
    return await readCsv(
      head[0] === 0x1f && head[1] === 0x8b ? bytes.pipe(createGunzip({ chunkSize: 2 ** 20 })) : bytes,
      onLine,
    )
  } finally {
    await handle.close()
  }
}

async function readCsv(pieces: AsyncIterable<Uint8Array>, onLine: OnLine): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  const rows = new CsvRows()
  let reader: RowReader | undefined
  const take = (text: string, isEnd: boolean) => {
    for (const cells of rows.push(text, isEnd)) {
      if (reader === undefined) reader = rowReader(cells)
      else onLine(reader.lineOf(cells))
    }
  }
  try {
    for await (const piece of pieces) take(decoder.decode(piece, { stream: true }), false)
  } catch (error) {
    throw /^Z_/.test((error as NodeJS.ErrnoException).code ?? '') ? new BadBill('is damaged gzip') : error
  }
  take(decoder.decode(), true)
  if (reader === undefined) throw new BadBill('is empty')
  return reader.name
}

interface RowReader {
  readonly name: string
  lineOf(cells: readonly unknown[]): BillLine
}

function rowReader(names: readonly string[]): RowReader {
  const format = formatOf(names)
  const places = format.columns.map((column) => names.indexOf(column))
  return {
    name: format.name,
    lineOf: (cells) => format.lineOf(places.map((place) => (place < 0 ? undefined : cells[place]))),
  }
}

function formatOf(names: readonly string[]): BillFormat {
  const format = billFormats.find((one) => one.isFormatOf(names))
  if (format !== undefined) return format
  const isLegacy = names.includes('lineItem/LineItemType')
  throw new BadBill(
    `is none of ${billFormats.map(({ name }) => name).join(', ')}${isLegacy ? ': it is a legacy Cost and Usage Report' : ''}`,
  )
}

const maxRowGroupBytes = 512 * 2 ** 20

async function readParquet(file: AsyncBuffer, onLine: OnLine): Promise<string> {
  const { parquetMetadataAsync, parquetRead } = await import('hyparquet')
  const metadata = await parquetMetadataAsync(file).catch(damagedParquet)
  const names = metadata.schema.slice(1).map(({ name }) => name)
  const format = formatOf(names)
  const columns = format.columns.filter((column) => names.includes(column))
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    const bytes = group.columns
      .filter(({ meta_data: data }) => columns.includes(data?.path_in_schema[0] ?? ''))
      .reduce((sum, { meta_data: data }) => sum + Number(data?.total_uncompressed_size ?? 0), 0)
    if (bytes > maxRowGroupBytes) throw new BadBill('has row groups of more than 512 MiB')
    const values = new Map<string, unknown[]>(columns.map((column) => [column, []]))
    const from = rowStart
    await parquetRead({
      file,
      metadata,
      columns,
      compressors,
      rowStart,
      rowEnd,
      onChunk: ({ columnName, columnData, rowStart: first }) => {
        const all = values.get(columnName)!
        for (let row = 0; row < columnData.length; row++) all[first - from + row] = columnData[row]
      },
    }).catch(damagedParquet)
    const ordered = format.columns.map((column) => values.get(column))
    // A damaged file may claim more rows than it has.
    const rows = Math.max(0, ...ordered.map((all) => all?.length ?? 0))
    for (let row = 0; row < rows; row++) onLine(format.lineOf(ordered.map((all) => all?.[row])))
    rowStart = rowEnd
  }
  return format.name
}

function damagedParquet(): never {
  throw new BadBill('is damaged Parquet')
}

/** Memory outside the heap of the thread is not limited otherwise. */
const bounded = { maxOutputLength: maxRowGroupBytes }
/** Parquet has its own code for Snappy. */
const compressors: Compressors = {
  GZIP: (input) => new Uint8Array(gunzipSync(input, bounded)),
  ZSTD: (input) => new Uint8Array(zstdDecompressSync(input, bounded)),
  BROTLI: (input) => new Uint8Array(brotliDecompressSync(input, bounded)),
}

function parquetFile(handle: FileHandle, byteLength: number): AsyncBuffer {
  const readPart = async (start: number, end: number) => {
    if (!(start >= 0 && start <= end && end <= byteLength)) throw new BadBill('is damaged Parquet')
    const bytes = new Uint8Array(end - start)
    await handle.read(bytes, 0, bytes.length, start)
    return bytes.buffer
  }
  return {
    byteLength,
    slice: (start, end = byteLength) => {
      const part = readPart(start, end)
      // The reader asks for several parts at once; when one fails, nobody waits for the others.
      part.catch(() => undefined)
      return part
    },
  }
}
