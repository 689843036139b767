import type { Provider } from '../domain/provider.ts'

export const scaleway: Provider = {
  key: 'scaleway',
  displayName: 'Scaleway',
  service: 'ScalewayInstances',
  aliases: ['scw', 'online', 'scaleway elements'],
  serviceAliases: ['scaleway instances', 'instances', 'instance'],
  onByDefault: false,
  // fr-par-1 lies in fr-par
  zoneLiesIn: (zone, region) => zone.toLowerCase().replace(/-\d$/, '') === region.toLowerCase(),
  familyOf: () => '',
  burstableBaselineOf: () => null,
}
