import { answer, service } from '../api/client.ts'
import { demo } from './demo.ts'
import { addressOf, go } from './router.ts'
import { type KeyRecord, session } from './session.ts'

/** Exchanges a key for a session. Throws Refused if the key is invalid. */
export async function signIn(key: string): Promise<void> {
  demo.leave()
  const begun = await answer(service.POST('/v1/session', { headers: { 'x-api-key': key } }))
  session.begin(begun.key)
}

/** Returns the key of this browser's session. Throws Refused if there is none. */
export function resumedKey(): Promise<KeyRecord> {
  return answer(service.GET('/key'))
}

/** Also works if the service is away; the cookie then expires by itself. */
export async function signOut(): Promise<void> {
  demo.leave()
  await answer(service.DELETE('/v1/session')).catch(() => {})
  session.end('left')
}

/** Loads the demo if necessary, and shows it in this tab. */
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
