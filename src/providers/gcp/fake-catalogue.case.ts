import { cheaperBody, type FakeCatalogue } from '../fetching/fake-catalogue.case.ts'
import { oldOffer } from '../fetching/old-offer.case.ts'
import { fakeGcp, type GcpListing, gcpRates } from './fake-api.case.ts'
import { gcpImporter } from './live.ts'

const n2 = ['us-central1']
const gcpListings: GcpListing[] = [
  ...gcpRates({ running: 'N2 Instance Core', commitment: 'N2 Cpu', group: 'CPU', place: 'Americas' }, n2, [0.031611, 0.018959, 0.019915, 0.014225]),
  ...gcpRates({ running: 'N2 Instance Ram', commitment: 'N2 Ram', group: 'RAM', place: 'Americas' }, n2, [0.004237, 0.002228, 0.002669, 0.001907]),
  ...gcpRates({ running: 'N2 Custom Instance Core', commitment: 'Nothing', group: 'CPU', place: 'Americas' }, n2, [0.033174, 0.0199, 1, 1]).slice(0, 2),
  ...gcpRates({ running: 'N2 Custom Instance Ram', commitment: 'Nothing', group: 'RAM', place: 'Americas' }, n2, [0.004446, 0.0023, 1, 1]).slice(0, 2),
  ...gcpRates({ running: 'E2 Instance Core', commitment: 'E2 Cpu', group: 'CPU', place: 'Iowa' }, n2, [0.02181159, 0.013087, 0.013741, 0.009815]),
  ...gcpRates({ running: 'E2 Instance Ram', commitment: 'E2 Ram', group: 'RAM', place: 'Iowa' }, n2, [0.00292353, 0.001754, 0.001842, 0.001316]),
  ...gcpRates({ running: 'G2 Instance Core', commitment: 'G2 Cpu', group: 'CPU', place: 'Iowa' }, n2, [0.024988, 0.01, 0.0157, 0.0112]),
  ...gcpRates({ running: 'G2 Instance Ram', commitment: 'G2 Ram', group: 'RAM', place: 'Iowa' }, n2, [0.002927, 0.001, 0.0018, 0.0013]),
  ...gcpRates({ running: 'C4 Instance Core', commitment: 'C4 Cpu', group: 'CPU', place: 'Iowa' }, n2, [0.03465, 0.02, 0.0218, 0.0155]),
  ...gcpRates({ running: 'C4 Instance Ram', commitment: 'C4 Ram', group: 'RAM', place: 'Iowa' }, n2, [0.003938, 0.002, 0.0024, 0.0017]),
  ...gcpRates({ running: 'C4 Instance Local SSD', commitment: 'C4 Local SSD', group: 'LocalSSD', place: 'Iowa' }, n2, [0.16, 0.096, 0.1008, 0.072], 'GiBy.mo'),
  { description: 'Nvidia L4 GPU running in Americas', group: 'GPU', usage: 'OnDemand', regions: n2, usd: 0.56004 },
  { description: 'Nvidia L4 GPU attached to Spot Preemptible VMs running in Americas', group: 'GPU', usage: 'Preemptible', regions: n2, usd: 0.2 },
  { description: 'Micro Instance with burstable CPU running in Americas', group: 'F1Micro', usage: 'OnDemand', regions: n2, usd: 0.0076 },
  { description: 'Sole Tenancy Premium for N2 Instance Core running in Americas', group: 'CPU', usage: 'OnDemand', regions: n2, usd: 9 },
  { description: 'N2 Custom Extended Instance Ram running in Americas', group: 'RAM', usage: 'OnDemand', regions: n2, usd: 9 },
  { description: 'Q9 Instance Core running in Americas', group: 'CPU', usage: 'OnDemand', regions: n2, usd: 9 },
  { description: 'Storage PD Capacity in Iowa', group: 'PDStandard', usage: 'OnDemand', regions: n2, usd: 0.04, family: 'Storage' },
  { description: 'Licensing Fee for Windows Server 2022 Datacenter Edition (CPU cost)', group: 'Google', usage: 'OnDemand', regions: ['global'], usd: 0.046, family: 'License' },
  { description: 'Licensing Fee for Windows Server 2019 Datacenter Edition on f1-micro', group: 'Google', usage: 'OnDemand', regions: ['global'], usd: 0.023, family: 'License' },
  { description: 'Licensing Fee for Windows Server 2012 BYOL (CPU cost)', group: 'Google', usage: 'OnDemand', regions: ['global'], usd: 0.001, family: 'License' },
] // biome-ignore format: one SKU a line

export const fakeCatalogue: FakeCatalogue = {
  importer: gcpImporter,
  fake: fakeGcp(gcpListings, 'gcp-key-that-nobody-may-see', 20),
  secrets: { GOOGLE_API_KEY: 'gcp-key-that-nobody-may-see' },
  lastGood: [
    oldOffer('gcp', 'us-central1', 'n2-standard-4', 0.19),
    oldOffer('gcp', 'us-central1', 'e2-micro', 0.008, { vcpus: 2, ramGib: 1 }),
    oldOffer('gcp', 'us-central1', 'f1-micro', 0.008, { vcpus: 1, ramGib: 0.6 }),
    oldOffer('gcp', 'us-central1', 'g2-standard-4', 0.7, { gpuCount: 1, gpuName: 'NVIDIA L4' }),
    oldOffer('gcp', 'us-central1', 'c4-standard-4-lssd', 0.28, { ramGib: 15 }),
  ],
  worked: {
    'n2-standard-4 Linux ONDEMAND  us-central1 ': 0.194236, // 4 x 0.031611 + 16 x 0.004237
    'n2-standard-4 Windows ONDEMAND  us-central1 ': 0.378236, // and 4 x 0.046
    'n2-standard-4 Linux SPOT_PREEMPTIBLE  us-central1 ': 0.111484, // 4 x 0.018959 + 16 x 0.002228
    'n2-standard-4 Linux RESERVED 1y us-central1 ': 0.122364, // 4 x 0.019915 + 16 x 0.002669
    'n2-standard-4 Windows RESERVED 3y us-central1 ': 0.271412, // 4 x 0.014225 + 16 x 0.001907 + 4 x 0.046
    'e2-micro Linux ONDEMAND  us-central1 ': 0.008376428, // 0.25 x 0.02181159 + 0.00292353
    'e2-micro Windows ONDEMAND  us-central1 ': 0.019876428, // and 0.25 x 0.046
    'f1-micro Linux ONDEMAND  us-central1 ': 0.0076,
    'f1-micro Windows ONDEMAND  us-central1 ': 0.0306,
    'g2-standard-4 Linux ONDEMAND  us-central1 ': 0.706824, // 4 x 0.024988 + 16 x 0.002927 + 0.56004
    'c4-standard-4-lssd Linux ONDEMAND  us-central1 ': 0.279861781, // 4 x 0.03465 + 15 x 0.003938 + 375 x 0.16 / 730
    'n2-custom-2-8192 Linux ONDEMAND  us-central1 ': 0.101916, // 2 x 0.033174 + 8 x 0.004446
  },
  cheapen: cheaperBody('nanos'),
}
