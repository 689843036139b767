import type { OperatingSystem } from '../../domain/offer.ts'
import { declareProvider, zoneIn } from '../declare-provider.ts'

export const scalewayProvider = declareProvider({
  key: 'scaleway',
  displayName: 'Scaleway',
  service: 'ScalewayInstances',
  aliases: ['scw', 'online', 'scaleway elements'],
  serviceAliases: ['scaleway instances', 'instances', 'instance'],
  isZoneInRegion: (zone, region) => scalewayRegionOf(zone) === region.toLowerCase(),
  // scaleway://instance/fr-par-1/uuid
  nodeOf: (providerId) => zoneIn(/^scaleway:\/\/instance\/([a-z0-9-]+)\//, providerId),
})

/** fr-par-1 lies in fr-par. */
export const scalewayRegionOf = (zone: string): string => zone.toLowerCase().replace(/-\d$/, '')

/** POP2-2C-8G-WIN has a Windows licence in its price. */
export const scalewaySystemOf = (instanceType: string): OperatingSystem =>
  /-win$/i.test(instanceType) ? 'Windows' : 'Linux'
