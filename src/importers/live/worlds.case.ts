import type { Offer } from '../../domain/offer.ts'
import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { digitalocean } from './digitalocean.ts'
import { type AwsWorld, fakeAws, instance } from './fakes/aws.case.ts'
import { azureItem, fakeAzure } from './fakes/azure.case.ts'
import { fakeGcp, type GcpListing, gcpRates } from './fakes/gcp.case.ts'
import type { Fake } from './fakes/server.case.ts'
import {
  addon,
  droplet,
  fakeDigitalocean,
  fakeHetzner,
  fakeOvhcloud,
  serverType,
} from './fakes/smaller.case.ts'
import { gcp } from './gcp.ts'
import { hetzner } from './hetzner.ts'
import type { Importer } from './importer.ts'
import { oldOffer } from './old-offer.case.ts'
import { ovhcloud } from './ovhcloud.ts'

/** A small provider, what was known of it before, and prices of it worked out by hand. */
export interface World {
  readonly importer: Importer
  readonly fake: Fake
  readonly secrets: Readonly<Record<string, string>>
  readonly lastGood: readonly Offer[]
  /** type, system, usage, term, region, zone: US dollars an hour */
  readonly worked: Readonly<Record<string, number>>
  /** Says how an answer looks with all prices a hundred times too low. */
  cheapen(text: string): string
}

/** Numbers in texts ("0.1920000000") and bare ones (0.192, nanos) after any of the names that prices have. */
const cheapened =
  (names: string) =>
  (text: string): string =>
    text.replace(
      new RegExp(`("(?:${names})": ?"?)([0-9.]+)`, 'g'),
      (_, name: string, price: string) => name + Number(price) / 100,
    )

const awsSecret = 'aws-secret-key-that-nobody-may-see'

export const awsWorld: AwsWorld = {
  published: '2026-11-14T21:00:00Z',
  accessKeyId: 'AKIDTEST',
  otherRegions: ['us-west-2-lax-1', 'us-east-1-wl1-bos-wlz-1'],
  regions: {
    'us-east-1': [
      {
        sku: 'LINUX1',
        attributes: instance('us-east-1', 'm5.xlarge'),
        onDemandUsd: '0.1920000000',
        reserved: [
          {
            years: 1,
            offering: 'standard',
            payment: 'Partial Upfront',
            hourlyUsd: '0.0577',
            upfrontUsd: '505',
          },
          { years: 1, offering: 'standard', payment: 'No Upfront', hourlyUsd: '0.1210000000' },
          { years: 3, offering: 'convertible', payment: 'No Upfront', hourlyUsd: '0.0960000000' },
          {
            years: 3,
            offering: 'standard',
            payment: 'All Upfront',
            hourlyUsd: '0.0000000000',
            upfrontUsd: '1971',
          },
        ],
      },
      {
        sku: 'WINDOWS1',
        attributes: instance('us-east-1', 'm5.xlarge', {
          operatingSystem: 'Windows',
          operation: 'RunInstances:0002',
        }),
        onDemandUsd: '0.3760000000',
      },
      {
        sku: 'ARM',
        attributes: instance('us-east-1', 'c7g.large', {
          vcpu: '2',
          memory: '4 GiB',
          physicalProcessor: 'AWS Graviton3 Processor',
        }),
        onDemandUsd: '0.0725000000',
      },
      {
        sku: 'GPU',
        attributes: instance('us-east-1', 'g5.xlarge', { gpu: '1', physicalProcessor: 'AMD EPYC 7R32' }),
        onDemandUsd: '1.0060000000',
      },
      ...[
        { tenancy: 'Dedicated' },
        { operatingSystem: 'RHEL' },
        { preInstalledSw: 'SQL Std' },
        { capacitystatus: 'UnusedCapacityReservation' },
        { operatingSystem: 'Windows', licenseModel: 'Bring your own license' },
        { marketoption: 'CapacityBlock' },
        { regionCode: 'us-east-1-bos-1', locationType: 'AWS Local Zone' },
      ].map((odd, i) => ({
        sku: `ODD${i}`,
        attributes: instance('us-east-1', 'm5.xlarge', odd as unknown as Record<string, string>),
        onDemandUsd: '0.0100000000',
      })),
      { sku: 'DISK', family: 'Storage', attributes: { volumeType: 'Shared "Used"' }, onDemandUsd: '0.08' },
      { sku: 'NOPRICE', attributes: instance('us-east-1', 'm6i.large'), onDemandUsd: '0.0000000000' },
    ],
    'eu-west-1': [
      { sku: 'LINUX2', attributes: instance('eu-west-1', 'm5.xlarge'), onDemandUsd: '0.2140000000' },
    ],
  },
  plans: [
    { sku: 'PLAN1NO', family: 'ComputeSavingsPlans', option: 'No Upfront', term: '1yr' },
    { sku: 'PLAN1ALL', family: 'ComputeSavingsPlans', option: 'All Upfront', term: '1yr' },
    { sku: 'PLAN3NO', family: 'ComputeSavingsPlans', option: 'No Upfront', term: '3yr' },
    { sku: 'PLANEC2', family: 'EC2InstanceSavingsPlans', option: 'No Upfront', term: '1yr' },
  ],
  savings: {
    'us-east-1': [
      { plan: 'PLAN1NO', usageType: 'BoxUsage:m5.xlarge', operation: 'RunInstances', usd: '0.14' },
      { plan: 'PLAN1NO', usageType: 'BoxUsage:m5.xlarge', operation: 'RunInstances:0002', usd: '0.324' },
      { plan: 'PLAN1NO', usageType: 'BoxUsage:m5.xlarge', operation: 'RunInstances:0010', usd: '0.2' },
      { plan: 'PLAN1NO', usageType: 'DedicatedUsage:m5.xlarge', operation: 'RunInstances', usd: '0.15' },
      {
        plan: 'PLAN1NO',
        usageType: 'Fargate-vCPU-Hours:perCPU',
        operation: '',
        usd: '0.03',
        service: 'AmazonECS',
      },
      { plan: 'PLAN1ALL', usageType: 'BoxUsage:m5.xlarge', operation: 'RunInstances', usd: '0.13' },
      { plan: 'PLAN3NO', usageType: 'BoxUsage:m5.xlarge', operation: 'RunInstances', usd: '0.096' },
      { plan: 'PLANEC2', usageType: 'BoxUsage:m5.xlarge', operation: 'RunInstances', usd: '0.121' },
    ],
    'eu-west-1': [
      { plan: 'PLAN1NO', usageType: 'EU-BoxUsage:m5.xlarge', operation: 'RunInstances', usd: '0.155' },
    ],
  },
  zones: {
    'us-east-1': { 'us-east-1a': 'use1-az4', 'us-east-1b': 'use1-az6' },
    'eu-west-1': { 'eu-west-1a': 'euw1-az2' },
  },
  spot: {
    'us-east-1': [
      {
        type: 'm5.xlarge',
        product: 'Linux/UNIX',
        zone: 'us-east-1a',
        usd: '0.0801',
        at: '2026-11-15T03:00:00.000Z',
      },
      {
        type: 'm5.xlarge',
        product: 'Linux/UNIX',
        zone: 'us-east-1a',
        usd: '0.0811',
        at: '2026-11-15T05:00:00.000Z',
      },
      {
        type: 'm5.xlarge',
        product: 'Linux/UNIX',
        zone: 'us-east-1b',
        usd: '0.0752',
        at: '2026-11-15T04:00:00.000Z',
      },
      {
        type: 'm5.xlarge',
        product: 'Windows',
        zone: 'us-east-1b',
        usd: '0.2595',
        at: '2026-11-15T04:00:00.000Z',
      },
    ],
    'eu-west-1': [
      {
        type: 'm5.xlarge',
        product: 'Linux/UNIX',
        zone: 'eu-west-1a',
        usd: '0.0903',
        at: '2026-11-15T04:00:00.000Z',
      },
    ],
  },
}

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

const eur = 1.1567

export const worlds: readonly World[] = [
  {
    importer: aws,
    fake: fakeAws(awsWorld),
    secrets: { AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SECRET_ACCESS_KEY: awsSecret },
    lastGood: [
      oldOffer('aws', 'us-east-1', 'm5.xlarge', 0.19),
      oldOffer('aws', 'us-east-1', 'g5.xlarge', 1, { gpuCount: 1, gpuName: 'NVIDIA A10G' }),
    ],
    worked: {
      'm5.xlarge Linux ONDEMAND  us-east-1 ': 0.192,
      'm5.xlarge Windows ONDEMAND  us-east-1 ': 0.376,
      'm5.xlarge Linux RESERVED 1y us-east-1 ': 0.121,
      'm5.xlarge Linux RESERVED 3y us-east-1 ': 0.075, // 1,971 / 26,280 hours
      'm5.xlarge Linux RESERVED 3y-convertible us-east-1 ': 0.096,
      'm5.xlarge Linux RESERVED 1y-savings-plan us-east-1 ': 0.14,
      'm5.xlarge Windows RESERVED 1y-savings-plan us-east-1 ': 0.324,
      'm5.xlarge Linux RESERVED 3y-savings-plan us-east-1 ': 0.096,
      'm5.xlarge Linux RESERVED 1y-savings-plan eu-west-1 ': 0.155,
      'm5.xlarge Linux SPOT_PREEMPTIBLE  us-east-1 use1-az4': 0.0811,
      'm5.xlarge Linux SPOT_PREEMPTIBLE  us-east-1 use1-az6': 0.0752,
      'm5.xlarge Windows SPOT_PREEMPTIBLE  us-east-1 use1-az6': 0.2595,
      'm5.xlarge Linux SPOT_PREEMPTIBLE  eu-west-1 euw1-az2': 0.0903,
      'm5.xlarge Linux ONDEMAND  eu-west-1 ': 0.214,
      'c7g.large Linux ONDEMAND  us-east-1 ': 0.0725,
      'g5.xlarge Linux ONDEMAND  us-east-1 ': 1.006,
    },
    cheapen: cheapened('USD|price'),
  },
  {
    importer: azure,
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
    cheapen: cheapened('retailPrice|unitPrice'),
  },
  {
    importer: gcp,
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
    cheapen: cheapened('nanos'),
  },
  {
    importer: digitalocean,
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
    cheapen: cheapened('price_hourly|price_monthly'),
  },
  {
    importer: hetzner,
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
    cheapen: cheapened('net'),
  },
  {
    importer: ovhcloud,
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
    cheapen: cheapened('price'),
  },
]
