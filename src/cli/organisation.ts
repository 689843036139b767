import { defaultOrganisation } from '../domain/key.ts'
import { type Call, textOption, UsageError } from './command.ts'
import { type RemoteService, serverOf } from './server.ts'

export const organisationOption = textOption('ORG', 'Organisation; default: default')

/** The organisation of a call that works on the database, where no key determines it. */
export const organisationOf = (call: Call): string => call.text('organisation') ?? defaultOrganisation

/** A key belongs to one organisation, so naming another one must be a mistake. */
export function refuseOrganisation(call: Call): void {
  if (call.text('organisation') !== undefined)
    throw new UsageError(
      '--organisation cannot be used with a service, which uses the organisation of the API key',
    )
}

/**
 * For commands that work both through a service and directly in the database: passes them the port that the call selects.
 */
export function serverOrDatabase<Deps, Port>(
  withDeps: <Result>(call: Call, use: (deps: Deps) => Promise<Result>) => Promise<Result>,
  onDatabase: (deps: Deps, organisation: string) => Port,
  onServer: (server: RemoteService) => Port,
) {
  return <Result>(call: Call, use: (port: Port) => Promise<Result>): Promise<Result> => {
    const server = serverOf(call)
    if (server === undefined) return withDeps(call, (deps) => use(onDatabase(deps, organisationOf(call))))
    refuseOrganisation(call)
    return use(onServer(server))
  }
}
