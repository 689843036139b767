import { cheaperBody, type FakeCatalogue } from '../fetching/fake-catalogue.case.ts'
import { oldOffer } from '../fetching/old-offer.case.ts'
import { addon, fakeOvhcloud } from './fake-api.case.ts'
import { ovhcloudImporter } from './live.ts'

const eur = 1.1567

export const fakeCatalogue: FakeCatalogue = {
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
