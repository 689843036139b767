import type { Provider } from '../domain/provider.ts'

export const ovhcloud: Provider = {
  key: 'ovhcloud',
  displayName: 'OVHCloud',
  service: 'OVHPublicCloud',
  aliases: ['ovh', 'ovh cloud', 'ovhcloud public cloud'],
  serviceAliases: ['ovh public cloud', 'public cloud', 'public cloud instances', 'ovhcloud public cloud'],
  onByDefault: true,
  // A region is one OpenStack region, whose only zone is called nova.
  zoneLiesIn: (zone, region) => ['nova', region.toLowerCase()].includes(zone.toLowerCase()),
  familyOf: () => '',
  burstableBaselineOf: () => null,
}
