import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Away, Refused } from '../api/problem.ts'
import { Progress } from '../parts/states.tsx'
import { connection } from './connection.ts'
import { Frame } from './frame.tsx'
import { session } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { askForKey } from './sign-in-request.ts'
import { useSignal } from './signal.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      // A refusal stays one; whoever is away is watched by `connection`, which asks again for everything.
      retry: (count, error) => !(error instanceof Refused || error instanceof Away) && count < 2,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
})

session.state.follow(() => {
  if (session.key() === undefined) queries.clear()
})
connection.state.follow(() => {
  if (connection.state.get().away === undefined) void queries.invalidateQueries()
})

export function App() {
  const { signedIn } = useSignal(session.state)
  const resuming = useResumed()
  if (resuming) return <Progress label="Opening the console" />
  if (signedIn === undefined) return <SignIn />
  return (
    <QueryClientProvider client={queries}>
      <Frame record={signedIn.record} />
    </QueryClientProvider>
  )
}

/** Goes on with the key that the user wanted to be remembered; true while that is tried. */
function useResumed(): boolean {
  const [resuming, setResuming] = useState(session.remembered() !== undefined)
  const { away } = useSignal(connection.state)
  useEffect(() => {
    const key = session.remembered()
    if (key === undefined || session.key() !== undefined || away !== undefined) return
    askForKey(key).then(
      (record) => {
        session.begin(key, record, true)
        setResuming(false)
      },
      (error: unknown) => {
        // A service that is away is not a refusal: the key is kept and tried again.
        if (error instanceof Refused) session.end('refused')
        if (!(error instanceof Away)) setResuming(false)
      },
    )
  }, [away])
  return resuming && session.key() === undefined
}
