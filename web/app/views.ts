import { Signal } from '../state/signal.ts'

export interface SavedView {
  readonly name: string
  /** Path and query, below /console. */
  readonly address: string
}

const place = 'cheapside-views'
const most = 50

export const savedViews = new Signal<readonly SavedView[]>(readStored())
addEventListener('storage', ({ key }) => {
  if (key === place) savedViews.set(readStored())
})

/** Replaces a view of the same name. */
export function addView(name: string, address: string): void {
  write([...readStored().filter((view) => view.name !== name), { name, address }].slice(-most))
}

export function removeView(name: string): void {
  write(readStored().filter((view) => view.name !== name))
}

/** Ignores invalid entries, since others may write to the browser's storage. */
export function readViews(text: string | null): SavedView[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isView).slice(-most) : []
  } catch {
    return []
  }
}

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SavedView).name === 'string' &&
  typeof (value as SavedView).address === 'string' &&
  /^\/console(\/|$|\?)/.test((value as SavedView).address)

/** Other tabs may have added views since they were last read. */
function readStored(): SavedView[] {
  return readViews(localStorage.getItem(place))
}

function write(views: readonly SavedView[]): void {
  localStorage.setItem(place, JSON.stringify(views))
  savedViews.set(views)
}
