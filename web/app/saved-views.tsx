import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { fetchedWhenBack } from '../api/connection.ts'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/inputs/popover.tsx'
import { Link } from '../parts/link.tsx'
import { usePlace } from '../state/router.ts'
import { useSignal } from '../state/signal.ts'
import { addView, removeView, savedViews } from './views.ts'

// It is loaded when the popover opens.
const SharedViews = lazy(() => fetchedWhenBack(() => import('./shared-views.tsx')))

/** Addresses that the user has named, in this browser or for the organisation. */
export function SavedViews() {
  const views = useSignal(savedViews)
  const close = useRef(() => {})
  const [name, setName] = useState('')
  const [wasOpened, setOpened] = useState(false)
  usePlace()
  const done = () => {
    setName('')
    close.current()
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    addView(name.trim(), location.pathname + location.search)
    done()
  }
  return (
    <Popover
      label="Saved views"
      side="right"
      closer={close}
      onOpen={() => setOpened(true)}
      said={
        <>
          <Icon name="bookmark" size={16} /> Views
        </>
      }
    >
      {views.length > 0 && (
        <ul className="views">
          {views.map((view) => (
            <li key={view.name}>
              <Link href={view.address} onClick={() => close.current()}>
                {view.name}
              </Link>
              <button
                type="button"
                className="button plain"
                aria-label={`Delete ${view.name}`}
                onClick={() => removeView(view.name)}
              >
                <Icon name="close" size={15} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="save-view" onSubmit={save}>
        <label className="field">
          <span className="field-label">Save this view as</span>
          <input value={name} required maxLength={80} onChange={(event) => setName(event.target.value)} />
        </label>
        <button type="submit" className="button" disabled={name.trim() === ''}>
          Save
        </button>
      </form>
      <p className="note">
        Saved views stay in this browser. To show one to somebody, share it or send its URL.
      </p>
      {wasOpened && (
        <Suspense>
          <SharedViews name={name.trim()} onDone={done} />
        </Suspense>
      )}
    </Popover>
  )
}
