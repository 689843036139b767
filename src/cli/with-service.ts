import type { Call } from './command.ts'
import { refuseOrganisation } from './organisation.ts'
import { type ServiceClient, serverOf } from './server.ts'

/** Uses the service that a call names, or the routes of the service in this process on the database of this machine. */
export async function withAdminService<Result>(
  call: Call,
  use: (service: ServiceClient) => Promise<Result>,
): Promise<Result> {
  const server = serverOf(call)
  if (server !== undefined) return use(server)
  const { withStore } = await import('./local/deps.ts')
  const { localService } = await import('./local/service.ts')
  return withStore(call, (store) => use(localService(call, store)))
}

/** The same for routes that work on the organisation of their caller. */
export async function withService<Result>(
  call: Call,
  use: (service: ServiceClient) => Promise<Result>,
): Promise<Result> {
  if (call.settings.server !== '') refuseOrganisation(call)
  return withAdminService(call, use)
}
