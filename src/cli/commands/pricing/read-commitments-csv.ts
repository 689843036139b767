import { csvRecords } from '../../../pricing/own-prices/csv-records.ts'
import { CommandFailure } from '../../command.ts'

/** Returns the commitments of a CSV file whose columns are named as the members of a commitment. Empty cells are left out. */
export async function readCommitmentsCsv(text: string): Promise<object[]> {
  const { CommitmentInput } = await import('../../../pricing/commitments/schema.ts')
  const properties: Readonly<Record<string, object>> = CommitmentInput.properties
  const [head, ...records] = csvRecords(text)
  const names = head?.cells.map((name) => name.trim().toLowerCase()) ?? []
  return records.map(({ line, cells, wrong }) => {
    if (wrong !== undefined) throw new CommandFailure(`line ${line} ${wrong}`)
    const members = names.flatMap((name, at): [string, unknown][] => {
      const cell = cells[at]?.trim() ?? ''
      if (cell === '') return []
      const { type } = (Object.hasOwn(properties, name) ? properties[name]! : {}) as { type?: string }
      if (type === 'number') return [[name, Number.isFinite(Number(cell)) ? Number(cell) : cell]]
      return [[name, type === 'boolean' && /^(true|false)$/i.test(cell) ? /^t/i.test(cell) : cell]]
    })
    return Object.fromEntries(members)
  })
}
