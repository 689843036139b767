import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { connection } from '../api/connection.ts'
import { demo } from '../api/demo.ts'
import { Away, isTemporary } from '../api/problem.ts'
import { session } from '../api/session.ts'
import { Progress } from '../parts/states.tsx'
import { pendingSignOut } from '../session/pending-sign-out.ts'
import { finishSignOut, resumedKey } from '../session/session-requests.ts'
import { SignIn } from '../session/sign-in.tsx'
import { placeNow } from '../state/router.ts'
import { useSignal } from '../state/signal.ts'
import { Frame } from './frame.tsx'
import { reloadIfCodeIsMissing } from './missing-code.ts'
import { pageAt, pages } from './pages.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      // If the service is away, `connection` polls it and then refetches everything.
      retry: (count, error) => isTemporary(error) && count < 3,
      refetchOnWindowFocus: true,
      // For windows that stay open, such as those on a wall. Hidden ones wait until they are shown.
      refetchInterval: 600_000,
    },
    mutations: { networkMode: 'always' },
  },
})

session.state.follow(() => {
  if (!session.isOpen()) queries.clear()
})
session.followOtherTabs()
pendingSignOut.followOtherTabs(() => {
  if (session.isOpen() && demo.key.get() === undefined) session.end('left')
})
connection.state.follow(() => {
  if (connection.state.get().away === undefined) void queries.invalidateQueries()
})

reloadIfCodeIsMissing()
// The code of the page is loaded in parallel with the request for the session.
void (pageAt(placeNow().segments)?.page ?? pages[0]!).fetch().catch(() => {})

export function App() {
  const { record } = useSignal(session.state)
  const resuming = useResumed()
  if (resuming) return <Progress label="Opening the console" />
  if (record === undefined) return <SignIn />
  return (
    <QueryClientProvider client={queries}>
      <Frame key={record.id} record={record} />
    </QueryClientProvider>
  )
}

/**
 * Resumes the session of this browser, also one that began in another tab, unless the user signed out. Returns true
 * during the first attempt if there is no remembered session to show meanwhile.
 */
function useResumed(): boolean {
  const [resuming, setResuming] = useState(true)
  const isConfirmed = useRef(false)
  const { away } = useSignal(connection.state)
  useEffect(() => {
    const resume = () => {
      if (isSignedOut()) {
        if (session.isOpen()) session.end('left')
        setResuming(false)
        void finishSignOut()
        return
      }
      if ((session.isOpen() && isConfirmed.current) || away !== undefined) return
      const before = session.state.get()
      resumedKey().then(
        (record) => {
          setResuming(false)
          // Who signed out meanwhile is not signed in again by the answer to an earlier request.
          if (isSignedOut() || session.state.get() !== before) return
          isConfirmed.current = true
          session.begin(record)
        },
        (error: unknown) => {
          // If the service is away, the session is not refused, and the request is repeated.
          if (!(error instanceof Away)) setResuming(false)
        },
      )
    }
    resume()
    addEventListener('focus', resume)
    return () => removeEventListener('focus', resume)
  }, [away])
  const { record, ended } = session.state.get()
  return resuming && record === undefined && ended === undefined
}

/** The demo has a key of its own, which does not depend on the user's session. */
const isSignedOut = (): boolean => pendingSignOut.exists() && demo.key.get() === undefined
