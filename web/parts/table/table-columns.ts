import { type RefObject, useLayoutEffect } from 'react'

/**
 * From most space to least: all columns, without extra ones, the same with less space between them, and only the most
 * important.
 */
const densities = ['full', 'reduced', 'compact', 'minimal'] as const

/** Width of a scroll bar. If it appears or disappears with the columns, they must not change again. */
const scrollBarPx = 20

/** With less space between columns second lines wrap; before that they would be cut. */
const cutsLines = (scroll: Element): boolean =>
  [...scroll.querySelectorAll('.two-lines > :not(.cut, .one-line)')].some(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  )

/** Shows as many columns as fit without horizontal scrolling, and checks again when the width or the rows change. */
export function useFittingColumns(card: RefObject<HTMLElement | null>, rows: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may be wider
  useLayoutEffect(() => {
    const element = card.current!
    let width = -1
    const arrange = () => {
      const wider = element.clientWidth - width
      if (width !== -1 && wider >= 0 && wider <= scrollBarPx) return
      width = element.clientWidth
      const scroll = element.querySelector('.table-scroll')!
      for (const density of densities) {
        element.dataset.density = density
        const mayWrap = density === 'compact' || density === 'minimal'
        if (scroll.scrollWidth <= scroll.clientWidth && (mayWrap || !cutsLines(scroll))) return
      }
    }
    arrange()
    const observer = new ResizeObserver(arrange)
    observer.observe(element)
    return () => observer.disconnect()
  }, [card, rows])
}
