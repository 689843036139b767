import { Notice } from '../parts/states.tsx'
import { presetName, usePeriod } from '../usage/period.ts'

/** Shown if the address has a period that cannot be shown. */
export function PeriodNotice() {
  const { problem, preset } = usePeriod()
  if (problem === undefined || preset === undefined) return null
  return (
    <Notice tone="warning" title="The dates in the address are not valid.">
      {problem} Shown instead: the {presetName(preset).toLowerCase()}.
    </Notice>
  )
}
