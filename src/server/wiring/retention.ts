import { type Settings, SettingsError } from '../../config.ts'
import { organisationRule } from '../../domain/key.ts'
import type { RetentionDays } from '../../ingest/retention-days.ts'

export function parseRetention({
  retentionDays,
  retentionOf,
}: Pick<Settings, 'retentionDays' | 'retentionOf'>): RetentionDays {
  const pairs = retentionOf.map((pair): [string, number] => {
    const [, organisation, days] = /^(.+)=(\d{1,5})$/.exec(pair) ?? []
    if (organisation === undefined || !organisationRule.pattern.test(organisation) || Number(days) < 1)
      throw new SettingsError(`CHEAPSIDE_RETENTION_OF must be organisation=days, not ${JSON.stringify(pair)}`)
    return [organisation, Number(days)]
  })
  return { retentionDays, retentionOf: Object.fromEntries(pairs) }
}
