import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'

/** A file is missing, damaged, or not what it should be. The message names the file and the reason. */
export class FactsError extends Error {
  override readonly name = 'FactsError'
}

/** Calls onRow for each row of NAME.csv.gz or NAME.csv after its header. Rows with too few or too many fields are passed on. */
export async function readCsvTable(
  directory: string,
  name: string,
  columns: readonly string[],
  onRow: (fields: string[]) => void,
  delimiter = ',',
): Promise<void> {
  const packed = join(directory, `${name}.csv.gz`)
  const file = existsSync(packed) ? packed : join(directory, `${name}.csv`)
  if (!existsSync(file)) throw new FactsError(`${name}.csv.gz is missing in ${directory}`)
  let header: string[] | undefined
  const take = (fields: string[]): void => {
    if (header === undefined) checkHeader(file, fields, columns)
    else onRow(fields)
    header ??= fields
  }
  const rows = parse({ delimiter, relax_column_count: true, skip_empty_lines: true, bom: true })
  rows.on('readable', () => {
    try {
      for (let fields: string[] | null = rows.read(); fields !== null; fields = rows.read()) take(fields)
    } catch (error) {
      rows.destroy(error as Error)
    }
  })
  try {
    if (file === packed) await pipeline(createReadStream(file), createGunzip(), rows)
    else await pipeline(createReadStream(file), rows)
  } catch (error) {
    if (error instanceof FactsError) throw error
    throw new FactsError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (header === undefined) throw new FactsError(`${file} is empty`)
}

function checkHeader(file: string, found: readonly string[], expected: readonly string[]): void {
  if (found.length === expected.length && found.every((name, i) => name === expected[i])) return
  throw new FactsError(`${file} has the header "${found.join(',')}" instead of "${expected.join(',')}"`)
}
