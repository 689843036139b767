import { type FormEvent, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/popover.tsx'
import { type Period, presetDays, presetParams, presetWords, usePeriod } from './period.ts'
import { setParams } from './router.ts'

/** Chooses the period of all pages: up to now, or from one day to another. */
export function DatesChoice() {
  const period = usePeriod()
  const close = useRef(() => {})
  const choose = (days: number) => {
    setParams(presetParams(days), 'push')
    close.current()
  }
  const words = period.chosen === undefined ? `Last ${period.words.replace(/^1 /, '')}` : period.words
  return (
    <Popover
      label="Period"
      closer={close}
      said={
        <>
          <Icon name="clock" size={16} /> {words}
        </>
      }
    >
      <fieldset className="choice-list" aria-label="Last">
        {presetDays.map((days) => (
          <label key={days} className="check">
            <input
              type="radio"
              name="period"
              checked={period.chosen === undefined && period.days === days}
              onChange={() => choose(days)}
            />
            <span>Last {presetWords(days).replace(/^1 /, '')}</span>
          </label>
        ))}
      </fieldset>
      <CustomDates key={period.words} period={period} onDone={() => close.current()} />
    </Popover>
  )
}

function CustomDates({ period, onDone }: { period: Period; onDone: () => void }) {
  const [from, setFrom] = useState(period.start_date.slice(0, 10))
  const [to, setTo] = useState(period.chosen?.to ?? period.end_date.slice(0, 10))
  const wrong = from > to ? 'The start date is after the end date.' : undefined
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (wrong !== undefined) return
    setParams({ days: undefined, from, to }, 'push')
    onDone()
  }
  return (
    <form className="custom-dates" aria-label="Date range" onSubmit={apply}>
      <label className="field">
        <span className="field-label">From</span>
        <input type="date" value={from} required onChange={(event) => setFrom(event.target.value)} />
      </label>
      <label className="field">
        <span className="field-label">To</span>
        <input type="date" value={to} required onChange={(event) => setTo(event.target.value)} />
      </label>
      {wrong !== undefined && (
        <p className="field-wrong" role="alert">
          {wrong}
        </p>
      )}
      <button type="submit" className="button">
        Show these days
      </button>
      <p className="note">Whole days in UTC.</p>
    </form>
  )
}
