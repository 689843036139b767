import { useEffect, useState } from 'react'
import { Icon } from '../parts/icon.tsx'

type Finder = typeof import('./finder.tsx')['default']

/** Ctrl-K or Command-K opens the finder from anywhere. Its code is loaded on first use. */
export function FindButton() {
  const [Finder, setFinder] = useState<Finder>()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      void fetchFinder(setFinder)
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
        onPointerEnter={() => void fetchFinder()}
        onClick={() => void fetchFinder(setFinder)}
      >
        <Icon name="search" size={16} /> Find <kbd>Ctrl K</kbd>
      </button>
      {Finder !== undefined && <Finder onClose={() => setFinder(undefined)} />}
    </>
  )
}

/** Nothing opens if the code cannot be loaded: the page stays, with the notice that the service is away. */
const fetchFinder = (open?: (finder: () => Finder) => void): Promise<void> =>
  import('./finder.tsx').then(
    ({ default: finder }) => open?.(() => finder),
    () => {},
  )
