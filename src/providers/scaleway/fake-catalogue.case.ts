import { cheaperBody, type FakeCatalogue } from '../fetching/fake-catalogue.case.ts'
import { oldOffer } from '../fetching/old-offer.case.ts'
import { fakeScaleway, instanceType } from './fake-api.case.ts'
import { scalewayImporter } from './live.ts'

/** A full page, so that the importer has to ask for a second one. */
const firstPage = Object.fromEntries(
  Array.from({ length: 100 }, (_, n) => [`PRO2-${n}`, instanceType(0.0561 * (n + 1), n + 1, 4 * (n + 1))]),
)

export const fakeCatalogue: FakeCatalogue = {
  importer: scalewayImporter,
  fake: fakeScaleway({
    'fr-par-1': { ...firstPage, 'DEV1-S': instanceType(0.01368, 2, 2) },
    'fr-par-2': {
      'COPARM1-2C-8G': instanceType(0.0426, 2, 8, { arch: 'arm64' }),
      'POP2-2C-8G-WIN': instanceType(0.1823, 2, 8),
      'L4-1-24G': instanceType(0.75, 8, 48, {
        gpu: 1,
        gpu_info: { gpu_manufacturer: 'NVIDIA', gpu_name: 'L4', gpu_memory: 25_769_803_776 },
      }),
      'START1-S': instanceType(0.0082, 2, 2, { end_of_service: true }),
      C2S: instanceType(0.024, 4, 8, { baremetal: true }),
    },
    'nl-ams-1': { 'DEV1-S': instanceType(0.01368, 2, 2) },
  }),
  secrets: {},
  lastGood: [oldOffer('scaleway', 'fr-par', 'DEV1-S', 0.015, { zone: 'fr-par-1' })],
  worked: {
    'DEV1-S Linux ONDEMAND  fr-par fr-par-1': 0.01582366, // 0.01368 x 1.1567
    'DEV1-S Linux ONDEMAND  nl-ams nl-ams-1': 0.01582366,
    'PRO2-0 Linux ONDEMAND  fr-par fr-par-1': 0.06489087, // 0.0561 x 1.1567
    'COPARM1-2C-8G Linux ONDEMAND  fr-par fr-par-2': 0.04927542,
    'POP2-2C-8G-WIN Windows ONDEMAND  fr-par fr-par-2': 0.21086641,
    'L4-1-24G Linux ONDEMAND  fr-par fr-par-2': 0.867525,
  },
  cheapen: cheaperBody('hourly_price'),
}
