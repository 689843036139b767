import { type FormEvent, useId, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/inputs/popover.tsx'
import { RadioList } from '../parts/inputs/radio-list.tsx'
import { setParams } from '../state/router.ts'
import {
  type Period,
  type Preset,
  presetName,
  presetParams,
  presets,
  rangeProblem,
  usePeriod,
} from '../usage/period.ts'

/** Chooses the period of all pages: up to now, or from one day to another. */
export function DatesChoice() {
  const period = usePeriod()
  const close = useRef(() => {})
  const choose = (preset: Preset) => {
    setParams(presetParams(preset), 'push')
    close.current()
  }
  const words = period.preset === undefined ? period.words : presetName(period.preset)
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
      <RadioList<Preset | 0>
        label="Period"
        name="period"
        options={presets.map((preset) => ({ value: preset, text: presetName(preset) }))}
        chosen={(period.problem === undefined ? period.preset : undefined) ?? 0}
        onChoose={(preset) => preset !== 0 && choose(preset)}
      />
      <CustomDates key={period.words} period={period} onDone={() => close.current()} />
    </Popover>
  )
}

function CustomDates({ period, onDone }: { period: Period; onDone: () => void }) {
  const wrongId = useId()
  const [from, setFrom] = useState(period.start_date.slice(0, 10))
  const [to, setTo] = useState(period.chosen?.to ?? period.end_date.slice(0, 10))
  const wrong = from === '' || to === '' ? undefined : rangeProblem(from, to)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (wrong !== undefined) return
    setParams({ days: undefined, from, to }, 'push')
    onDone()
  }
  const checked = {
    type: 'date',
    required: true,
    'aria-invalid': wrong !== undefined,
    'aria-describedby': wrong === undefined ? undefined : wrongId,
  }
  return (
    <form className="custom-dates" aria-label="Date range" onSubmit={apply}>
      <label className="field">
        <span className="field-label">From</span>
        <input {...checked} value={from} onChange={(event) => setFrom(event.target.value)} />
      </label>
      <label className="field">
        <span className="field-label">To</span>
        <input {...checked} value={to} onChange={(event) => setTo(event.target.value)} />
      </label>
      {wrong !== undefined && (
        <p className="field-wrong" id={wrongId} role="alert">
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
