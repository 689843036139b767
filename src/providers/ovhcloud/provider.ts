import { declareProvider, zoneIn } from '../declare-provider.ts'

export const ovhcloudProvider = declareProvider({
  key: 'ovhcloud',
  displayName: 'OVHCloud',
  service: 'OVHPublicCloud',
  aliases: ['ovh', 'ovh cloud', 'ovhcloud public cloud'],
  serviceAliases: ['ovh public cloud', 'public cloud', 'public cloud instances', 'ovhcloud public cloud'],
  onByDefault: true,
  // A region is one OpenStack region, whose only zone is called nova.
  isZoneInRegion: (zone, region) => ['nova', region.toLowerCase()].includes(zone.toLowerCase()),
  // Every OpenStack has openstack:///uuid, but only OVHcloud has types called b2-7, c3-8, r3-16, d2-4, ...
  nodeOf: (providerId, instanceType) =>
    /^[a-z]+\d+-\d+(-flex)?$/i.test(instanceType) ? zoneIn(/^openstack:\/\//, providerId) : undefined,
})
