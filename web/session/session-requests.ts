import { answer, service } from '../api/client.ts'
import { demo } from '../api/demo.ts'
import { Refused } from '../api/problem.ts'
import { type KeyRecord, session } from '../api/session.ts'
import { addressOf, go } from '../state/router.ts'
import { pendingSignOut } from './pending-sign-out.ts'

/** Exchanges a key for a session. Throws Refused if the key is invalid. */
export async function signIn(key: string): Promise<void> {
  demo.leave()
  await inOrder(async () => {
    const begun = await answer(service.POST('/v1/session', { headers: { 'x-api-key': key } }))
    pendingSignOut.end()
    session.begin(begun.key)
  })
}

/** Returns the key of this browser's session. Throws Refused if there is none. */
export function resumedKey(): Promise<KeyRecord> {
  return answer(service.GET('/key'))
}

/** Also works if the service is away: the session is then ended at the service as soon as it responds. */
export function signOut(): void {
  demo.leave()
  pendingSignOut.begin()
  session.end('left')
  void finishSignOut()
}

const repeatSignOutMs = 2000
let isFinishing = false

/** Ends the session at the service, and repeats the request until it succeeds or the user signs in again. */
export async function finishSignOut(): Promise<void> {
  if (isFinishing) return
  isFinishing = true
  while (pendingSignOut.exists()) {
    await inOrder(deleteSession).catch(() => new Promise((resolve) => setTimeout(resolve, repeatSignOutMs)))
  }
  isFinishing = false
}

async function deleteSession(): Promise<void> {
  if (!pendingSignOut.exists()) return
  await answer(service.DELETE('/v1/session')).catch((error: unknown) => {
    // The service no longer accepts the cookie.
    if (!(error instanceof Refused) || error.status !== 401) throw error
  })
  pendingSignOut.end()
}

let lastInOrder: Promise<unknown> = Promise.resolve()

/** Requests that change the cookie run one at a time, so that a late sign-out does not end a session that just began. */
function inOrder<Result>(request: () => Promise<Result>): Promise<Result> {
  const result = lastInOrder.then(request)
  lastInOrder = result.catch(() => {})
  return result
}

/** Loads the demo if necessary, and shows it in this tab. */
export async function enterDemo(): Promise<void> {
  const { key } = await answer(service.POST('/admin/demo'))
  await demoLoaded()
  demo.enter(key)
  await changeOrganisation()
}

export async function leaveDemo(): Promise<void> {
  // Another tab may have signed out meanwhile.
  if (pendingSignOut.exists()) return signOut()
  demo.leave()
  await changeOrganisation()
}

const lookEveryMs = 1000

async function demoLoaded(): Promise<void> {
  for (;;) {
    const { is_loading, loaded_until } = await answer(service.GET('/admin/demo'))
    if (loaded_until !== null) return
    if (!is_loading) throw new Error('The demo data could not be loaded; see the log of the service.')
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** Starts again with another organisation, because what was loaded belongs to the previous one. */
async function changeOrganisation(): Promise<void> {
  const record = await resumedKey()
  session.end('left')
  session.begin(record)
  go(addressOf([]))
}
