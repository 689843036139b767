import { declareProvider } from '../declare-provider.ts'

export const digitaloceanProvider = declareProvider({
  key: 'digitalocean',
  displayName: 'DigitalOcean',
  service: 'Droplet',
  aliases: ['do', 'digital ocean'],
  serviceAliases: ['droplets', 'digitalocean droplet', 'digitalocean droplets'],
  onByDefault: true,
})
