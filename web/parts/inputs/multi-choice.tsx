import { useId, useRef, useState } from 'react'
import { count } from '../figures.ts'
import { Icon } from '../icon.tsx'

interface Choice {
  readonly value: string
  readonly label: string
}

interface Props {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
  /** What applies if nothing is chosen. */
  readonly none?: string
}

const maxShown = 200
const searchFrom = 8

/** Chooses several of many options. */
export function MultiChoice({ label, choices, chosen, onChange, none = 'Any' }: Props) {
  const id = useId()
  const box = useRef<HTMLDetailsElement>(null)
  const [text, setText] = useState('')
  const wanted = text.toLowerCase()
  const found = choices.filter((choice) => choice.label.toLowerCase().includes(wanted))
  const first = choices.find(({ value }) => value === chosen[0])?.label ?? chosen[0]
  const said =
    chosen.length === 0 ? none : chosen.length === 1 ? first : `${first} and ${count(chosen.length - 1)} more`
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])

  return (
    <div className="field">
      <span className="field-label" id={id}>
        {label}
      </span>
      <details
        ref={box}
        className="multi"
        onToggle={(event) => event.currentTarget.open || setText('')}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.currentTarget.open = false
          event.currentTarget.querySelector('summary')?.focus()
        }}
      >
        <summary className="select-like" aria-labelledby={`${id} ${id}-said`} data-some={chosen.length > 0}>
          <span className="select-said" id={`${id}-said`}>
            {said}
          </span>
          <Icon name="chevron" size={15} />
        </summary>
        <fieldset className="multi-list" aria-label={label} tabIndex={-1}>
          {choices.length >= searchFrom && (
            <input
              type="search"
              placeholder="Search"
              aria-label={`Search ${label}`}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
          <div className="multi-choices">
            {found.slice(0, maxShown).map((choice) => (
              <label key={choice.value} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(choice.value)}
                  onChange={() => toggle(choice.value)}
                />
                <span>{choice.label}</span>
              </label>
            ))}
            {found.length === 0 && <p className="note">No match.</p>}
          </div>
          {chosen.length > 0 && (
            <button type="button" className="button plain" onClick={() => onChange([])}>
              {none}
            </button>
          )}
        </fieldset>
      </details>
    </div>
  )
}
