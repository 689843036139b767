import type { BillFormat } from '../../domain/bill-line.ts'
import { costAndUsageReport } from '../aws/bill.ts'
import { focusBill } from './focus.ts'

/** The formats of bills that are read, the first that fits first. */
export const billFormats: readonly BillFormat[] = [focusBill, costAndUsageReport]
