import { useEffect, useRef } from 'react'

/** What the keys of the list do with the recommendation at the focus, or in the side panel. */
export interface RecommendationActions {
  accept(id: string): void
  dismiss(id: string): void
  snooze(id: string): void
  choose(id: string): void
  /** Called when the focus moves to another row. */
  moved(id: string): void
  close(): void
  undo(): void
}

/** The table of recommendations, in which j and k move the focus from title to title. */
const titles = () => [...document.querySelectorAll<HTMLElement>('.recommendation-table tbody a')]
const idOf = (title: Element | undefined) => title?.closest('tr')?.dataset.id

/** The title of a row, once it is shown. */
export const titleOf = (id: string): HTMLElement | undefined => titles().find((title) => idOf(title) === id)

/** Lists recommendations by keyboard: j, k, a, d, s, x, u; Enter follows the focused title, and Escape closes the panel. */
export function useRecommendationKeys(actions: RecommendationActions, open: string | undefined): void {
  const latest = useRef({ actions, open })
  latest.current = { actions, open }
  /** The last place in the list, since a row disappears when it is decided on. */
  const place = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return
      const { actions, open } = latest.current
      const rows = titles()
      const focused = rows.indexOf(document.activeElement as HTMLElement)
      const at = focused >= 0 ? focused : rows.findIndex((row) => idOf(row) === open)
      const id = at >= 0 ? idOf(rows[at]) : open
      if (at >= 0) place.current = at
      const acts: Record<string, (() => void) | undefined> = {
        j: () => move(rows, at >= 0 ? at + 1 : place.current, actions),
        k: () => move(rows, Math.max(0, place.current - 1), actions),
        Escape: actions.close,
        u: actions.undo,
        ...(id !== undefined && {
          a: () => actions.accept(id),
          d: () => actions.dismiss(id),
          s: () => actions.snooze(id),
          x: () => actions.choose(id),
        }),
      }
      const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function move(rows: readonly HTMLElement[], to: number, { moved }: RecommendationActions): void {
  const next = rows[Math.min(to, rows.length - 1)]
  const id = idOf(next)
  if (next === undefined || id === undefined) return
  next.focus({ preventScroll: true })
  next.closest('tr')!.scrollIntoView({ block: 'nearest' })
  moved(id)
}

/** While the user types, or in a dialogue or a menu, keys mean something else. */
const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open], details.popover[open]') !== null ||
  (target instanceof HTMLElement &&
    target.matches('input:not([type=checkbox], [type=radio]), select, textarea'))
