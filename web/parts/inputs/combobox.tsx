import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'

interface Props<Option> {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly options: readonly Option[]
  readonly optionId: (option: Option) => string
  readonly show: (option: Option) => ReactNode
  readonly onChoose: (option: Option) => void
  readonly placeholder?: string
  /** Shown instead of options. */
  readonly note?: string | undefined
  /** The list is always shown, and the field has the focus from the start. */
  readonly isAlwaysOpen?: boolean
}

/** A text field that suggests options while the user types, following the combobox pattern of WAI-ARIA. */
export function Combobox<Option>(props: Props<Option>) {
  const {
    label,
    text,
    onText,
    options,
    optionId,
    show,
    onChoose,
    placeholder,
    note,
    isAlwaysOpen = false,
  } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = isAlwaysOpen || isOpen
  const [at, setAt] = useState(0)
  const active = Math.min(at, options.length - 1)

  const choose = (option: Option) => {
    setOpen(false)
    onChoose(option)
  }
  const move = (to: number) => {
    const next = (to + options.length) % options.length
    setAt(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: KeyboardEvent) => {
    // If the list is always open, Escape is for the dialogue around it.
    if (event.key === 'Escape' && !isAlwaysOpen) setOpen(false)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) setOpen(true)
      else if (options.length > 0) move(active + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter' && open && options[active] !== undefined) {
      event.preventDefault()
      choose(options[active])
    }
  }

  const listed = open && options.length > 0
  return (
    <div className="combobox">
      <label className="field" htmlFor={id}>
        <span className="field-label">{label}</span>
      </label>
      <div className="combobox-input">
        <Icon name="search" size={16} />
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          aria-expanded={listed}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={listed ? `${id}-${active}` : undefined}
          // biome-ignore lint/a11y/noAutofocus: the dialogue was opened to type here
          autoFocus={isAlwaysOpen}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            onText(event.target.value)
            setAt(0)
            setOpen(true)
          }}
          onFocus={(event) => event.target.select()}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKey}
        />
      </div>
      {open && (
        <div className="options" id={`${id}-list`} role="listbox" aria-label={label}>
          {options.map((option, i) => (
            <div
              key={optionId(option)}
              id={`${id}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === active}
              onMouseMove={() => setAt(i)}
              // The field keeps the focus, so that its blur does not close the list first.
              onMouseDown={(event) => {
                event.preventDefault()
                choose(option)
              }}
            >
              {show(option)}
            </div>
          ))}
          {options.length === 0 && note !== undefined && <div className="options-note">{note}</div>}
        </div>
      )}
    </div>
  )
}
