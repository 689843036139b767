import { type KeyboardEvent, useId, useRef, useState } from 'react'

interface Props<Value> {
  readonly label: string
  /** The name of the group of radio buttons, unique on the page. */
  readonly name: string
  readonly options: readonly { readonly value: Value; readonly text: string }[]
  /** Undefined is a value like any other. */
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
}

/**
 * Radio buttons of a popover. Arrow keys only move among them, since choosing closes the popover. Enter, Space or a click
 * chooses.
 */
export function RadioList<Value extends string | number | undefined>(props: Props<Value>) {
  const { label, name, options, chosen, onChoose } = props
  const id = useId()
  /** The button to which an arrow key moved, until it is chosen or the focus leaves the list. */
  const [moved, setMoved] = useState<{ readonly to: Value }>()
  const isArrow = useRef(false)
  const checked = moved === undefined ? chosen : moved.to
  const choose = (value: Value) => {
    setMoved(undefined)
    onChoose(value)
  }
  const onKey = (event: KeyboardEvent, value: Value) => {
    isArrow.current = event.key.startsWith('Arrow')
    if (event.key !== 'Enter') return
    event.preventDefault()
    choose(value)
  }
  return (
    <fieldset
      className="choice-list"
      aria-label={label}
      aria-describedby={id}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setMoved(undefined)
      }}
    >
      <span className="visually-hidden" id={id}>
        Arrow keys move, Enter chooses.
      </span>
      {options.map(({ value, text }) => (
        <label key={value ?? ''} className="check">
          <input
            type="radio"
            name={name}
            checked={checked === value}
            onChange={() => isArrow.current && setMoved({ to: value })}
            onKeyDown={(event) => onKey(event, value)}
            onKeyUp={() => {
              isArrow.current = false
            }}
            // The browser also clicks the button to which an arrow key moves.
            onClick={() => !isArrow.current && choose(value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
