import { answer, service } from '../api/client.ts'
import { demo } from './demo.ts'
import { addressOf, go } from './router.ts'
import { type KeyRecord, session } from './session.ts'

/** Trades a key for a session; throws Refused where it is none. */
export async function signIn(key: string): Promise<void> {
  demo.leave()
  const begun = await answer(service.POST('/v1/session', { headers: { 'x-api-key': key } }))
  session.begin(begun.key)
}

/** The key of the session that this browser already has; throws Refused where it has none. */
export function resumedKey(): Promise<KeyRecord> {
  return answer(service.GET('/key'))
}

/** Also where the service is away: then the cookie ends by itself. */
export async function signOut(): Promise<void> {
  demo.leave()
  await answer(service.DELETE('/v1/session')).catch(() => {})
  session.end('left')
}

/** Loads the demo where it is not there, and shows it in this tab. */
export async function enterDemo(): Promise<void> {
  const { key } = await answer(service.POST('/admin/demo'))
  await demoLoaded()
  demo.enter(key)
  await changeOrganisation()
}

export async function leaveDemo(): Promise<void> {
  demo.leave()
  await changeOrganisation()
}

const lookEveryMs = 1000

async function demoLoaded(): Promise<void> {
  for (;;) {
    const { is_loading, loaded_until } = await answer(service.GET('/admin/demo'))
    if (loaded_until !== null) return
    if (!is_loading) throw new Error('The demo data could not be loaded; the log of the service says why.')
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** What was loaded before is another organisation's. */
async function changeOrganisation(): Promise<void> {
  const record = await resumedKey()
  session.end('left')
  session.begin(record)
  go(addressOf([]))
}
