import { Icon } from '../parts/icon.tsx'
import { useSignal } from '../state/signal.ts'
import { type Theme, theme, themes } from '../state/theme.ts'

const faces = { auto: ['auto', 'System theme'], light: ['sun', 'Light'], dark: ['moon', 'Dark'] } as const

export function ThemeChoice() {
  const chosen = useSignal(theme)
  return (
    <fieldset className="segmented small" aria-label="Colours">
      {themes.map((each: Theme) => (
        <label key={each} title={faces[each][1]}>
          <input type="radio" name="theme" checked={chosen === each} onChange={() => theme.set(each)} />
          <span>
            <Icon name={faces[each][0]} size={16} />
            <span className="visually-hidden">{faces[each][1]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
