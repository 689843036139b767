import { defaultOrganisation } from '../domain/key.ts'
import { type Call, textOption, UsageError } from './command.ts'

export const organisationOption = textOption('ORG', 'Organisation; default: default')

/** The organisation of a call that works on the database, where no key determines it. */
export const organisationOf = (call: Call): string => call.text('organisation') ?? defaultOrganisation

/** The path of a setting of an organisation; without a name it is that of the organisation of the key. */
export const settingPath = (setting: string, organisation: string | undefined): string =>
  organisation === undefined
    ? `/v1/${setting}`
    : `/admin/organisations/${encodeURIComponent(organisation)}/${setting}`

/** A key belongs to one organisation, so naming another one must be a mistake. */
export function refuseOrganisation(call: Call): void {
  if (call.text('organisation') !== undefined)
    throw new UsageError(
      '--organisation cannot be used with a service, which uses the organisation of the API key',
    )
}
