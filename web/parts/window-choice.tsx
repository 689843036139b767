import { setParams, usePlace } from '../app/router.ts'
import { Segmented } from './inputs.tsx'

const choices = ['1', '7', '14', '30'] as const
const usual = '14'
const hourMs = 3_600_000

/** How many days back a page looks, as its address says. */
export function useDays(): number {
  const given = usePlace().params.get('days') ?? usual
  return choices.includes(given as never) ? Number(given) : Number(usual)
}

export function WindowChoice() {
  const days = useDays()
  return (
    <Segmented
      label="Period"
      name="days"
      options={choices.map((each) => [each, each === '1' ? '1 day' : `${each} days`] as const)}
      value={String(days) as (typeof choices)[number]}
      onChange={(to) => setParams({ days: to === usual ? undefined : to }, 'push')}
    />
  )
}

/** Up to the hour that runs, so that it is the same question until the next. */
export function windowOf(days: number, now: number): { start_date: string; end_date: string } {
  const end = (Math.floor(now / hourMs) + 1) * hourMs
  return {
    start_date: new Date(end - days * 24 * hourMs).toISOString(),
    end_date: new Date(end).toISOString(),
  }
}
