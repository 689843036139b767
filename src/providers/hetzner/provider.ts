import { declareProvider, zoneIn } from '../declare-provider.ts'

export const hetznerProvider = declareProvider({
  key: 'hetzner',
  displayName: 'Hetzner',
  service: 'HetznerCompute',
  aliases: ['hetzner cloud', 'hcloud'],
  serviceAliases: ['hetzner compute', 'hetzner cloud', 'cloud servers', 'cloud server', 'hcloud'],
  onByDefault: true,
  // A region is a location (fsn1), a zone one of its data centres (fsn1-dc14).
  isZoneInRegion(zone, region) {
    const [location, dataCentre, ...rest] = zone.toLowerCase().split('-')
    if (location !== region.toLowerCase() || rest.length > 0) return false
    return dataCentre === undefined || /^dc\d+$/.test(dataCentre)
  },
  nodeOf: (providerId) => zoneIn(/^hcloud:\/\//, providerId),
})
