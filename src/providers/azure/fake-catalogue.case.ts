import { cheaperBody, type FakeCatalogue } from '../fetching/fake-catalogue.case.ts'
import { oldOffer } from '../fetching/old-offer.case.ts'
import { azureItem, fakeAzure } from './fake-api.case.ts'
import { azureImporter } from './live.ts'

const azureItems = [
  azureItem('eastus', 'Standard_D4s_v5', 0.192, {
    productName: 'Virtual Machines Dsv5 Series',
    savingsPlan: [
      { unitPrice: 0.0867, retailPrice: 0.0867, term: '3 Years' },
      { unitPrice: 0.132, retailPrice: 0.132, term: '1 Year' },
    ],
  }),
  azureItem('eastus', 'Standard_D4s_v5', 0.376, { productName: 'Virtual Machines Dsv5 Series Windows' }),
  azureItem('eastus', 'Standard_D4s_v5', 0.0384, { skuName: 'D4s v5 Spot', meterName: 'D4s v5 Spot' }),
  azureItem('eastus', 'Standard_D4s_v5', 0.05, { skuName: 'D4s v5 Low Priority' }),
  azureItem('eastus', 'Standard_D4s_v5', 0.1, { productName: 'Dsv5 Series Cloud Services' }),
  azureItem('eastus', 'Standard_D4s_v5', 992, { type: 'Reservation', reservationTerm: '1 Year' }),
  azureItem('eastus', 'Standard_D4s_v5', 1919, { type: 'Reservation', reservationTerm: '3 Years' }),
  azureItem('eastus', 'Standard_D4s_v5', 0.15, { type: 'DevTestConsumption' }),
  azureItem('eastus', 'Standard_D4s_v5', 0.2, { effectiveStartDate: '2027-01-01T00:00:00Z' }),
  azureItem('eastus', 'Standard_D4s_v5', 0.21, { effectiveStartDate: '2025-01-01T00:00:00Z' }),
  azureItem('eastus', 'Standard_D4s_v5', 0.01, { isPrimaryMeterRegion: false }),
  azureItem('eastus', 'Dsv5_Type1', 4, { productName: 'Dsv5 Series Dedicated Host' }),
  azureItem('eastus', '', 0.02),
  azureItem('westeurope', 'Standard_D8s_v5', 46, { unitOfMeasure: '100 Hours' }),
]

export const fakeCatalogue: FakeCatalogue = {
  importer: azureImporter,
  fake: fakeAzure(azureItems, 5),
  secrets: {},
  lastGood: [
    oldOffer('azure', 'eastus', 'Standard_D4s_v5', 0.19),
    oldOffer('azure', 'westeurope', 'Standard_D8s_v5', 0.45, { vcpus: 8, ramGib: 32 }),
  ],
  worked: {
    'Standard_D4s_v5 Linux ONDEMAND  eastus ': 0.192,
    'Standard_D4s_v5 Windows ONDEMAND  eastus ': 0.376,
    'Standard_D4s_v5 Linux SPOT_PREEMPTIBLE  eastus ': 0.0384,
    'Standard_D4s_v5 Linux RESERVED 1y eastus ': 992 / 8760,
    'Standard_D4s_v5 Linux RESERVED 3y eastus ': 1919 / 26280,
    'Standard_D4s_v5 Linux RESERVED 1y-savings-plan eastus ': 0.132,
    'Standard_D4s_v5 Linux RESERVED 3y-savings-plan eastus ': 0.0867,
    'Standard_D8s_v5 Linux ONDEMAND  westeurope ': 0.46,
  },
  cheapen: cheaperBody('retailPrice|unitPrice'),
}
