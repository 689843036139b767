import { Notice } from '../parts/states.tsx'
import { lastDays, usePeriod } from '../usage/period.ts'

/** Shown if the address has a period that cannot be shown. */
export function PeriodNotice() {
  const { problem, days } = usePeriod()
  if (problem === undefined) return null
  return (
    <Notice tone="warning" title="The dates in the address are not valid.">
      {problem} Shown instead: the {lastDays(days).toLowerCase()}.
    </Notice>
  )
}
