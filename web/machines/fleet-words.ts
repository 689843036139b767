import { count, counted, money } from '../parts/figures.ts'
import type { MachineRow } from './machine-row.ts'

const isSilent = ({ silentSince }: MachineRow): boolean => silentSince !== undefined

/** Returns text such as "2 idle, 1 silent". */
export function statesText(machines: readonly MachineRow[]): string {
  const idle = machines.filter(({ summary }) => summary.idle).length
  const silent = machines.filter(isSilent).length
  const idleText = idle === 0 ? 'none is idle' : `${count(idle)} idle`
  return silent === 0 ? idleText : `${idleText}, ${count(silent)} silent`
}

/** Names the part of the cost that is estimated, and the part that the overview leaves out. */
export function costText(machines: readonly MachineRow[]): string {
  const estimated = machines.filter(({ summary }) => summary.rehost?.priceSource === 'base').length
  const silent = machines.filter(isSilent)
  const silentCost = silent.reduce((sum, { costPerMonth }) => sum + (costPerMonth ?? 0), 0)
  return [
    `per month${estimated === 0 ? '' : `, ${counted(estimated, 'machine')} by estimate`}`,
    ...(silentCost === 0
      ? []
      : [
          `includes ${money(silentCost)} of ${counted(silent.length, 'silent machine')}, not counted in the overview`,
        ]),
  ].join('; ')
}
