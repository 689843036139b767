import type { Provider } from '../domain/provider.ts'
import { zoneIn } from './node-id.ts'
import { zoneIsRegion } from './zone-is-region.ts'

export const civoProvider: Provider = {
  key: 'civo',
  displayName: 'Civo',
  service: 'CivoCompute',
  aliases: ['civo cloud'],
  serviceAliases: ['civo compute', 'compute'],
  onByDefault: false,
  zoneLiesIn: zoneIsRegion,
  familyOf: () => '',
  burstableBaselineOf: () => null,
  nodeOf: (providerId) => zoneIn(/^civo:\/\//, providerId),
}
