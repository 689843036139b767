import type { Cloud } from './cloud.ts'
import { declareProvider } from './declare-provider.ts'

// Providers that are off unless an operator turns them on, and of which only price facts are read.

export const linode: Cloud = {
  provider: declareProvider({
    key: 'linode',
    displayName: 'Linode',
    service: 'LinodeCompute',
    aliases: ['akamai', 'akamai cloud', 'akamai connected cloud'],
    serviceAliases: ['linode compute', 'linode compute instances', 'linodes'],
  }),
  facts: async () => ({}),
}

export const vultr: Cloud = {
  provider: declareProvider({
    key: 'vultr',
    displayName: 'Vultr',
    service: 'VultrCompute',
    aliases: ['vultr cloud'],
    serviceAliases: ['vultr compute', 'cloud compute', 'vultr cloud compute'],
  }),
  facts: async () => ({}),
}

export const upcloud: Cloud = {
  provider: declareProvider({
    key: 'upcloud',
    displayName: 'UpCloud',
    service: 'UpCloudServers',
    aliases: [],
    serviceAliases: ['upcloud servers', 'cloud servers', 'cloud server'],
  }),
  facts: async () => ({}),
}

export const civo: Cloud = {
  provider: declareProvider({
    key: 'civo',
    displayName: 'Civo',
    service: 'CivoCompute',
    aliases: ['civo cloud'],
    serviceAliases: ['civo compute', 'compute'],
  }),
  facts: async () => ({}),
}
