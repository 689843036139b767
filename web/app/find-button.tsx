import { lazy, Suspense, useEffect, useState } from 'react'
import { Icon } from '../parts/icon.tsx'

const fetchFinder = () => import('./finder.tsx')
const Finder = lazy(fetchFinder)

/** Ctrl-K or Command-K opens the finder from anywhere. Its code is loaded on first use. */
export function FindButton() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className="button"
        aria-keyshortcuts="Control+K"
        onPointerEnter={() => void fetchFinder().catch(() => {})}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={16} /> Find <kbd>Ctrl K</kbd>
      </button>
      {open && (
        <Suspense fallback={null}>
          <Finder onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
