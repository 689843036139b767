import { cheaperBody, type FakeCatalogue } from '../fetching/fake-catalogue.case.ts'
import { oldOffer } from '../fetching/old-offer.case.ts'
import { fakeHetzner, serverType } from './fake-api.case.ts'
import { hetznerImporter } from './live.ts'

export const fakeCatalogue: FakeCatalogue = {
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
