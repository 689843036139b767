import { cheaperBody, type FakeCatalogue } from '../fetching/fake-catalogue.case.ts'
import { oldOffer } from '../fetching/old-offer.case.ts'
import { type AwsFakeData, fakeAws, instance } from './fake-api.case.ts'
import { awsImporter } from './live.ts'

const secret = 'aws-secret-key-that-nobody-may-see'

export const awsListings: AwsFakeData = {
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

export const fakeCatalogue: FakeCatalogue = {
  importer: awsImporter,
  fake: fakeAws(awsListings),
  secrets: { AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SECRET_ACCESS_KEY: secret },
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
  cheapen: cheaperBody('USD|price'),
}
