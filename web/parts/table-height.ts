import { type RefObject, useLayoutEffect } from 'react'

/** All columns, those without extra, the same closer together, and those alone that matter most. */
const rooms = ['much', 'some', 'tight', 'little'] as const

/** What a scroll bar takes: one that comes and goes with the columns must not make them come and go. */
const scrollBarPx = 20

/** Shows as many columns as fit without scrolling sideways, and tries again when the width or the rows change. */
export function useTableHeight(card: RefObject<HTMLElement | null>, rows: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may be wider
  useLayoutEffect(() => {
    const element = card.current!
    let width = -1
    const arrange = () => {
      const wider = element.clientWidth - width
      if (width !== -1 && wider >= 0 && wider <= scrollBarPx) return
      width = element.clientWidth
      const scroll = element.querySelector('.table-scroll')!
      for (const room of rooms) {
        element.dataset.room = room
        if (scroll.scrollWidth <= scroll.clientWidth) return
      }
    }
    arrange()
    const observer = new ResizeObserver(arrange)
    observer.observe(element)
    return () => observer.disconnect()
  }, [card, rows])
}
