import { type FormEvent, useId, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { setParams } from '../state/router.ts'
import { inPercent, riskText, shareOf } from './risk-words.ts'
import { useSizingPreference } from './sizing-preference.ts'

/** Enters a risk as a number instead of a profile. */
export function RiskChoice() {
  const { risk } = useSizingPreference()
  const id = useId()
  const [wrong, setWrong] = useState(false)
  const choose = (box: HTMLElement, share: string | undefined) => {
    setParams({ risk: share }, 'push')
    close(box)
  }
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const input = event.currentTarget.querySelector('input')!
    if (input.validity.valid) {
      const share = input.value === '' ? undefined : String(shareOf(input.valueAsNumber))
      choose(event.currentTarget, share)
    } else {
      setWrong(true)
      input.focus()
    }
  }

  return (
    <details
      className="multi risk"
      onToggle={({ currentTarget: box }) => {
        if (box.open) box.querySelector('input')!.select()
        else box.querySelector('form')!.reset()
        setWrong(false)
      }}
      onBlur={({ currentTarget: box, relatedTarget }) => {
        if (!box.contains(relatedTarget)) box.open = false
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') close(currentTarget)
      }}
    >
      <summary className="select-like" data-some={risk !== undefined}>
        {risk === undefined ? 'Risk' : `Risk ${riskText(risk)}`}
        <Icon name="chevron" size={15} />
      </summary>
      <form className="multi-list" aria-label="Risk" tabIndex={-1} noValidate onSubmit={apply}>
        <label className="field">
          <span className="field-label">
            Accepted risk <span className="note">%</span>
          </span>
          <input
            key={risk}
            type="number"
            min={0}
            max={100}
            step="any"
            inputMode="decimal"
            placeholder="As in the profile"
            defaultValue={risk === undefined || Number.isNaN(risk) ? '' : inPercent(risk)}
            aria-invalid={wrong}
            aria-describedby={`${id}-${wrong ? 'wrong' : 'note'}`}
          />
        </label>
        {wrong && (
          <p className="field-wrong" id={`${id}-wrong`} role="alert">
            Enter a number from 0 to 100, or nothing.
          </p>
        )}
        <p className="note" id={`${id}-note`}>
          The share of time (CPU) and of days (memory) in which containers, taken together, may use more than
          they request. It replaces the profile; if empty, the risk of the profile applies.
        </p>
        <div className="risk-foot">
          {risk !== undefined && (
            <button
              type="button"
              className="button plain"
              onClick={(event) => choose(event.currentTarget, undefined)}
            >
              As in the profile
            </button>
          )}
          <button type="submit" className="button primary">
            Apply
          </button>
        </div>
      </form>
    </details>
  )
}

function close(within: HTMLElement): void {
  const box = within.closest('details')!
  box.open = false
  box.querySelector('summary')!.focus()
}
