import { Signal } from './signal.ts'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'cheapside-theme'
const stored = localStorage.getItem(place) as Theme | null

/** The user's choice; `auto` follows the system. */
export const theme = new Signal<Theme>(stored !== null && themes.includes(stored) ? stored : 'auto')

function show(): void {
  document.documentElement.dataset.theme = theme.get()
  painted.set(painted.get() + 1)
}

/** Changes whenever colours change, for components that draw on a canvas. */
export const painted = new Signal(0)

theme.follow(() => {
  localStorage.setItem(place, theme.get())
  show()
})
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show)
show()
