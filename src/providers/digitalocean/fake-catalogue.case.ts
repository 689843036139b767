import { cheaperBody, type FakeCatalogue } from '../fetching/fake-catalogue.case.ts'
import { oldOffer } from '../fetching/old-offer.case.ts'
import { droplet, fakeDigitalocean } from './fake-api.case.ts'
import { digitaloceanImporter } from './live.ts'

export const fakeCatalogue: FakeCatalogue = {
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
