/** Chooses one of a few visible options. */
export function Segmented<Value extends string>({
  label,
  name,
  options,
  value,
  onChange,
}: {
  label: string
  name: string
  options: readonly (readonly [Value, string])[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className="segmented" aria-label={label}>
      {options.map(([each, text]) => (
        <label key={each}>
          <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}

export function Select({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}) {
  const known = options.some(([each]) => each === value)
  return (
    <label className="field">
      <span className="field-label">{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {!known && <option value={value}>{value === '' ? 'Choose…' : value}</option>}
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

export function TextField({
  label,
  note,
  value,
  onChange,
  ...rest
}: {
  label: string
  note?: string
  value: string
  onChange: (value: string) => void
  required?: boolean
  placeholder?: string
  inputMode?: 'decimal'
  type?: 'date'
}) {
  return (
    <label className="field">
      <span className="field-label">
        {label} {note !== undefined && <span className="note">{note}</span>}
      </span>
      <input {...rest} value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  )
}

/** A slider that shows its value as text. */
export function Slider({
  label,
  value,
  most,
  step,
  said,
  onChange,
}: {
  label: string
  value: number
  most: number
  step: number
  said: string
  onChange: (value: number) => void
}) {
  return (
    <label className="field slider">
      <span className="field-label">
        {label} <b>{said}</b>
      </span>
      <input
        type="range"
        min={0}
        max={most}
        step={step}
        value={value}
        aria-valuetext={said}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </label>
  )
}

export function NumberField({
  label,
  unit,
  value,
  onChange,
}: {
  label: string
  unit: string
  value: number
  onChange: (value: number) => void
}) {
  return (
    <label className="field">
      <span className="field-label">
        {label} <span className="note">{unit}</span>
      </span>
      <input
        type="number"
        min={0.25}
        max={100_000}
        step="any"
        value={Number.isFinite(value) ? value : ''}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </label>
  )
}
