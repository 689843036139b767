import '../../runtime/node-24.ts'
import { serveOnce } from '../../runtime/worker-thread.ts'
import { type BillSums, BillTotals } from './bill-totals.ts'
import { BadBill } from './csv-rows.ts'
import { readBill } from './read-bill.ts'

serveOnce(async (file: string): Promise<BillSums | { readonly fault: string }> => {
  const totals = new BillTotals()
  try {
    await readBill(file, (line) => totals.add(line))
    return { ...totals }
  } catch (error) {
    if (error instanceof BadBill) return { fault: error.message }
    throw error
  }
})
