import { digitaloceanImporter } from '../digitalocean.ts'
import {
  addon,
  droplet,
  fakeDigitalocean,
  fakeHetzner,
  fakeOvhcloud,
  serverType,
} from '../fakes/smaller.case.ts'
import { hetznerImporter } from '../hetzner.ts'
import { oldOffer } from '../old-offer.case.ts'
import { ovhcloudImporter } from '../ovhcloud.ts'
import { cheaperBody, type FakeCatalogue } from './fake-catalogue.case.ts'

const eur = 1.1567

export const digitaloceanFakeCatalogue: FakeCatalogue = {
  importer: digitaloceanImporter,
  fake: fakeDigitalocean(
    [
      droplet('s-4vcpu-8gb', { price_hourly: 0.07143, price_monthly: 48 }),
      droplet('s-1vcpu-512mb-10gb', { price_hourly: 0.00595, price_monthly: 4, vcpus: 1, memory: 512 }),
      droplet('gone', { price_hourly: 0.5, price_monthly: 300, available: false }),
      droplet('gpu-h100x1-80gb', {
        price_hourly: 3.39,
        price_monthly: 2522.16,
        vcpus: 20,
        memory: 245760,
        regions: ['tor1'],
        gpu_info: { count: 1, model: 'nvidia_h100', vram: { amount: 80, unit: 'gib' } },
      }),
    ],
    'do-token-that-nobody-may-see',
    3,
  ),
  secrets: { DIGITALOCEAN_TOKEN: 'do-token-that-nobody-may-see' },
  lastGood: [oldOffer('digitalocean', 'fra1', 's-4vcpu-8gb', 0.07)],
  worked: {
    's-4vcpu-8gb Linux ONDEMAND  fra1 ': 0.07143,
    's-4vcpu-8gb Linux ONDEMAND  nyc3 ': 0.07143,
    's-1vcpu-512mb-10gb Linux ONDEMAND  fra1 ': 0.00595,
    'gpu-h100x1-80gb Linux ONDEMAND  tor1 ': 3.39,
  },
  cheapen: cheaperBody('price_hourly|price_monthly'),
}

export const hetznerFakeCatalogue: FakeCatalogue = {
  importer: hetznerImporter,
  fake: fakeHetzner(
    [
      serverType(114, 'cx23', [
        ['fsn1', '0.0048', '2.99'],
        ['hel1', '0.0048', '2.99'],
      ]),
      serverType(45, 'cax11', [['fsn1', '0.0053', '3.29']], { architecture: 'arm' }),
      serverType(22, 'cpx11', [['ash', '0.0071', '4.49']], { memory: 2 }),
    ],
    'hcloud-token-that-nobody-may-see',
  ),
  secrets: { HCLOUD_TOKEN: 'hcloud-token-that-nobody-may-see' },
  lastGood: [oldOffer('hetzner', 'fsn1', 'cx23', 0.0056)],
  worked: {
    'cx23 Linux ONDEMAND  fsn1 ': 0.00555216, // 0.0048 x 1.1567
    'cx23 Linux ONDEMAND  hel1 ': 0.00555216,
    'cax11 Linux ONDEMAND  fsn1 ': 0.00613051,
    'cpx11 Linux ONDEMAND  ash ': 0.00821257,
  },
  cheapen: cheaperBody('net'),
}

export const ovhcloudFakeCatalogue: FakeCatalogue = {
  importer: ovhcloudImporter,
  fake: fakeOvhcloud([
    addon('b3-8.consumption', 5_120_000, { cpu: { cores: 2 }, memory: { size: 8 } }, ['GRA11', 'DE1']),
    addon('b3-8.monthly.postpaid', 2_688_000_000, { cpu: { cores: 2 }, memory: { size: 8 } }, ['WAW1']),
    addon('b3-8.consumption.LZ.EU', 6_000_000, { cpu: { cores: 2 }, memory: { size: 8 } }, [
      'EU-WEST-LZ-BRU-A',
    ]),
    addon('b3-8.consumption.3AZ', 7_000_000, { cpu: { cores: 2 }, memory: { size: 8 } }, ['EU-WEST-PAR']),
    addon('win-b3-8.consumption', 8_120_000, { cpu: { cores: 2 }, memory: { size: 8 } }, ['GRA11']),
    addon('b2-7.consumption', 7_090_000, null),
    { ...addon('storage.consumption', 4_000, null, ['GRA11']), product: 'publiccloud-storage' },
  ]),
  secrets: {},
  lastGood: [oldOffer('ovhcloud', 'SBG5', 'b2-7', 0.08, { vcpus: 2, ramGib: 7 })],
  worked: {
    'b3-8 Linux ONDEMAND  GRA11 ': 0.05922304, // 0.0512 x 1.1567
    'b3-8 Linux ONDEMAND  DE1 ': 0.05922304,
    'b3-8 Linux ONDEMAND  WAW1 ': 0.05922304,
    'b3-8 Windows ONDEMAND  GRA11 ': Number((0.0812 * eur).toFixed(8)),
    'b2-7 Linux ONDEMAND  SBG5 ': 0.08201003, // 0.0709 x 1.1567
  },
  cheapen: cheaperBody('price'),
}
