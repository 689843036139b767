import { declareProvider, zoneIn } from './declare-provider.ts'

// Providers that are off unless an operator turns them on. Only price facts are read for them.

export const linodeProvider = declareProvider({
  key: 'linode',
  displayName: 'Linode',
  service: 'LinodeCompute',
  aliases: ['akamai', 'akamai cloud', 'akamai connected cloud'],
  serviceAliases: ['linode compute', 'linode compute instances', 'linodes'],
})

export const vultrProvider = declareProvider({
  key: 'vultr',
  displayName: 'Vultr',
  service: 'VultrCompute',
  aliases: ['vultr cloud'],
  serviceAliases: ['vultr compute', 'cloud compute', 'vultr cloud compute'],
})

export const scalewayProvider = declareProvider({
  key: 'scaleway',
  displayName: 'Scaleway',
  service: 'ScalewayInstances',
  aliases: ['scw', 'online', 'scaleway elements'],
  serviceAliases: ['scaleway instances', 'instances', 'instance'],
  // fr-par-1 lies in fr-par
  zoneLiesIn: (zone, region) => zone.toLowerCase().replace(/-\d$/, '') === region.toLowerCase(),
  // scaleway://instance/fr-par-1/uuid
  nodeOf: (providerId) => zoneIn(/^scaleway:\/\/instance\/([a-z0-9-]+)\//, providerId),
})

export const upcloudProvider = declareProvider({
  key: 'upcloud',
  displayName: 'UpCloud',
  service: 'UpCloudServers',
  aliases: [],
  serviceAliases: ['upcloud servers', 'cloud servers', 'cloud server'],
})

export const civoProvider = declareProvider({
  key: 'civo',
  displayName: 'Civo',
  service: 'CivoCompute',
  aliases: ['civo cloud'],
  serviceAliases: ['civo compute', 'compute'],
})
