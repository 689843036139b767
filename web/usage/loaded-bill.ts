import { session } from '../api/session.ts'

/** The sums of the last bill that was read in this browser; the service keeps no bill. */
export interface LoadedBill {
  /** First and last day, YYYY-MM-DD. */
  readonly from: string
  readonly to: string
  readonly billedUsd: number
  readonly machinesBilledUsd: number
  /** The same machines by your prices. */
  readonly machinesPricedUsd: number
}

const placeOf = () => `cheapside-bill-${session.state.get().record?.organisation ?? ''}`

export const keepBill = (bill: LoadedBill): void => localStorage.setItem(placeOf(), JSON.stringify(bill))

export function loadedBill(): LoadedBill | undefined {
  try {
    const bill = JSON.parse(localStorage.getItem(placeOf()) ?? 'null') as LoadedBill | null
    const isBill = typeof bill?.billedUsd === 'number' && /^\d{4}-\d\d-\d\d$/.test(bill.from)
    return isBill ? bill : undefined
  } catch {
    return undefined
  }
}
