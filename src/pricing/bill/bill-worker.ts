import '../../runtime/node-24.ts'
import { serveOnce } from '../../runtime/worker-thread.ts'
import { type BillSums, BillTotals } from './bill-totals.ts'
import { BadBill } from './csv-rows.ts'
import { readBill } from './read-bill.ts'
import type { BillWork } from './read-in-thread.ts'

serveOnce(async ({ file, exchange }: BillWork): Promise<BillSums | { readonly fault: string }> => {
  const totals = new BillTotals(exchange)
  try {
    await readBill(file, (line) => totals.add(line))
    return { ...totals }
  } catch (error) {
    if (error instanceof BadBill) return { fault: error.message }
    throw error
  }
})
