import type { ComponentProps, MouseEvent } from 'react'
import { go } from '../state/router.ts'

/** A link within the console. With a modifier key the browser opens it in another tab or window. */
export function Link({
  href,
  onClick,
  keepsPosition = false,
  ...rest
}: ComponentProps<'a'> & {
  href: string
  /** The page stays where it is scrolled to. */
  keepsPosition?: boolean
}) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (event.defaultPrevented || elsewhere) return
    event.preventDefault()
    go(href)
    if (!keepsPosition) scrollTo(0, 0)
  }
  return <a href={href} onClick={follow} {...rest} />
}
