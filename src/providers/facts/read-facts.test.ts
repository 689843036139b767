import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { findProvider } from '../providers.ts'
import { csv, type Row, row, sizeless, writeFacts } from './fixture.case.ts'
import { FactsError, readFacts } from './read-facts.ts'

const builtAt = '2026-11-15T00:00:00Z'

async function read(rows: Row[], files: Record<string, string | null> = {}) {
  const facts = await readFacts(await writeFacts(rows, files), { builtAt })
  const manifest = (key: string) =>
    facts.manifest.providers.find((one) => one.provider === key) ?? expect.fail(`no manifest of ${key}`)
  return { ...facts, of: manifest }
}

test('a row becomes an offer with its source, day, SKU ids and family', async () => {
  const { offers } = await read([row('aws', 'us-east-1', 'm5.xlarge', 0.192)])
  expect(offers).toEqual([
    {
      provider: 'aws',
      service: 'AmazonEC2',
      region: 'us-east-1',
      zone: '',
      instanceType: 'm5.xlarge',
      operatingSystem: 'Linux',
      usageType: 'ONDEMAND',
      term: '',
      vcpus: 4,
      ramGib: 16,
      architecture: 'x86_64',
      gpuCount: 0,
      gpuName: '',
      pricePerHourUsd: 0.192,
      monthlyCapUsd: null,
      burstableBaseline: null,
      family: 'm5',
      source: 'someone/prices@abc list.csv (2026-08-22)',
      day: '2026-08-22',
      skuIds: ['5G4T', '5G4T.JRTC.6YS6'],
    },
  ])
})

test('if a type has several products, the one with the same price and name is its SKU', async () => {
  const { offers } = await read([row('azure', 'eastus', 'Standard_D16as_v4', 0.15, { usage_type: 'spot' })])
  expect(offers[0]?.skuIds).toEqual(['DZH/2', 'meter-2'])
})

test('a global price becomes one price per region, with its cap', async () => {
  const { offers, of } = await read([
    row('digitalocean', 'global', 'c-2', 0.0625),
    row('ovhcloud', 'eu', 'b2-7', 0.07),
  ])
  expect(offers.map((one) => [one.region, one.monthlyCapUsd])).toEqual([
    ['nyc1', 42],
    ['ams3', 42],
    ...['GRA9', 'GRA11', 'RBX-A', 'SBG5', 'DE1', 'UK1', 'WAW1'].map((region) => [region, null]),
  ])
  expect(of('digitalocean')).toMatchObject({ rows: 1, offers: 2, types: 1, regions: 2 })
})

test('zones: listed and up, named by prices, or the same everywhere; of regions with offers', async () => {
  const { zones } = await read([
    row('aws', 'us-east-1', 'm5.xlarge', 0.05, { usage_type: 'spot', availability_zone: 'use1-az2' }),
    row('azure', 'eastus', 'Standard_D4s_v5', 0.192),
    row('gcp', 'us-central1', 'n2-standard-4', 0.194236),
  ])
  expect(zones).toEqual([
    { provider: 'aws', region: 'us-east-1', zone: 'use1-az2' },
    ...['1', '2', '3'].map((zone) => ({ provider: 'azure', region: 'eastus', zone })),
    { provider: 'gcp', region: 'us-central1', zone: 'us-central1-a' },
  ])
})

describe('what the facts lack', () => {
  const check = async (rows: Row[], type: string, expected: object, filled: object[]) => {
    const { offers, of } = await read(rows)
    expect(offers.find((one) => one.instanceType === type)).toMatchObject(expected)
    expect(of(rows[0]!.provider).filled).toMatchObject(filled)
  }

  test('is taken from the same type elsewhere', () =>
    check(
      [row('aws', 'us-east-1', 'c1.x', 1, sizeless), row('aws', 'us-west-1', 'c1.x', 1)],
      'c1.x',
      { vcpus: 4, ramGib: 16, architecture: 'x86_64' },
      [
        { what: 'architecture', rule: 'same type elsewhere', types: 1, offers: 1 },
        { what: 'size', rule: 'same type elsewhere', types: 1, offers: 1 },
      ],
    ))

  test('constrained vCPUs come with the RAM of the full size', () =>
    check(
      [
        row('azure', 'eastus', 'Standard_D64-16s_v3', 3.072, sizeless),
        row('azure', 'eastus', 'Standard_D64s_v3', 3.072, { vcpus: '64', ram_gib: '256' }),
      ],
      'Standard_D64-16s_v3',
      { vcpus: 16, ramGib: 256, architecture: 'x86_64', family: '' },
      [
        { what: 'architecture' },
        { what: 'size', rule: 'constrained vCPUs: the RAM of the full size', offers: 1 },
      ],
    ))

  test('a machine that runs i386 and x86_64 is x86_64', () =>
    check(
      [row('aws', 'us-east-1', 't2.micro', 0.0116, { architecture: 'i386' })],
      't2.micro',
      { architecture: 'x86_64' },
      [],
    ))

  test('an accelerator without a count counts as one', () =>
    check(
      [row('aws', 'us-east-1', 'g7.2xlarge', 1, { gpu_count: '', architecture: '' })],
      'g7.2xlarge',
      { gpuCount: 1, gpuName: '', architecture: '' },
      [{ what: 'accelerator', types: 1, offers: 1 }],
    ))

  test('is not guessed: the offer stays, priced, without a size', async () => {
    const { offers, of } = await read([row('azure', 'eastus', 'Standard_X9z_v9', 1, sizeless)])
    expect(offers[0]).toMatchObject({ vcpus: null, ramGib: null, architecture: '', gpuCount: 0 })
    expect(of('azure').unknownSizes).toEqual({ offers: 1, types: ['Standard_X9z_v9'] })
  })
})

test('a GPU has one name, however its source spells it', async () => {
  const names = ['L4', 'NVIDIA L4', 'NVIDIA RTX Pro 6000', 'A model nobody knows']
  const { offers } = await read(
    names.map((name, i) =>
      row('gcp', 'us-central1', `g2-standard-${i}`, 1, { gpu_count: '1', gpu_name: name }),
    ),
  )
  expect(offers.map((one) => one.gpuName)).toEqual([
    'NVIDIA L4',
    'NVIDIA L4',
    'NVIDIA RTX PRO 6000',
    'A model nobody knows',
  ])
})

test('invalid rows are dropped, counted and listed', async () => {
  const good = row('aws', 'us-east-1', 'm5.large', 0.096)
  const bad = (rest: Partial<Row>) => ({ ...good, ...rest })
  const { offers, of } = await read([
    good,
    bad({ instance_type: '' }),
    bad({ operating_system: 'OS/2' }),
    bad({ usage_type: 'borrowed' }),
    bad({ usage_type: 'reserved' }),
    bad({ term: '1y' }),
    bad({ usage_type: 'reserved', term: '7y' }),
    bad({ architecture: 'vax' }),
    ...['0', '-1', 'NaN', 'Infinity', '', 'free', '1e999'].map((price) => bad({ price_usd_per_hour: price })),
    bad({ vcpus: '0' }),
    bad({ ram_gib: 'lots' }),
    bad({ source: 'hearsay' }),
    { ...good, price_usd_per_hour: '0.097' },
  ])
  expect(offers).toHaveLength(1)
  expect(of('aws').rows).toBe(19)
  expect(of('aws').dropped.map(({ reason, rows }) => [reason, rows])).toEqual([
    ['price is not a positive number', 7],
    ['repeats an earlier row', 1],
    ['size is not a positive number', 2],
    ['source without a day', 1],
    ['term does not fit the usage type', 3],
    ['unknown architecture', 1],
    ['unknown operating system', 1],
    ['unknown usage type', 1],
    ['without region or instance type', 1],
  ])
})

test('a short line or one of another provider is dropped, not misread', async () => {
  const file = `${csv([row('hetzner', 'fsn1', 'cx23', 0.005)])}hetzner,too,short\n${csv([row('aws', 'fsn1', 'x', 1)]).split('\n')[1]}\n`
  const { offers, of } = await read([], { hetzner: file })
  expect(offers).toHaveLength(1)
  expect(of('hetzner').dropped.map((one) => one.reason)).toEqual([
    'of another provider',
    'wrong number of fields',
  ])
  expect(of('hetzner').currency).toBe('EUR')
})

test('prices of a machine in a region that is not known to have it stay, but it is not sold there', async () => {
  const spot = (type: string, region: string) => row('gcp', region, type, 0.4, { usage_type: 'spot' })
  const { offers, of } = await read([
    row('gcp', 'northamerica-northeast1', 'a2-highgpu-1g', 4),
    spot('a2-highgpu-1g', 'northamerica-northeast1'),
    spot('a2-highgpu-1g', 'us-central1'),
    spot('a2-ultragpu-1g', 'us-west1'), // which has a2-highgpu
    spot('a3-highgpu-8g', 'northamerica-northeast1'),
    spot('g2-standard-4', 'europe-west8'),
    spot('g2-standard-4', 'europe-west6'),
    // Series that the table lacks.
    spot('g4-standard-48', 'europe-west8'),
    spot('a3-megagpu-8g', 'northamerica-northeast1'),
    spot('n2-standard-4', 'northamerica-northeast1'),
    spot('e2-micro', 'moon1'),
  ])
  expect(offers).toHaveLength(11)
  expect(of('gcp').dropped).toEqual([])
  const isSold = ({ instanceType, region }: (typeof offers)[number]) =>
    findProvider('gcp')!.isSoldIn!(instanceType, region)
  expect(offers.filter(isSold).map((one) => `${one.instanceType} ${one.region} ${one.usageType}`)).toEqual([
    'a2-highgpu-1g us-central1 SPOT_PREEMPTIBLE',
    'g2-standard-4 europe-west6 SPOT_PREEMPTIBLE',
    'g4-standard-48 europe-west8 SPOT_PREEMPTIBLE',
    'a3-megagpu-8g northamerica-northeast1 SPOT_PREEMPTIBLE',
    'n2-standard-4 northamerica-northeast1 SPOT_PREEMPTIBLE',
    'e2-micro moon1 SPOT_PREEMPTIBLE',
  ])
})

test('an absurd price is quarantined and listed', async () => {
  const prices = { eastus: 1, westus: 1.1, centralus: 1.2, moon: 0.1 }
  const { offers, of } = await read(
    Object.entries(prices).map(([region, price]) => row('azure', region, 'Standard_D4s_v5', price)),
  )
  expect(offers.map((one) => one.region)).toEqual(['eastus', 'westus', 'centralus'])
  expect(of('azure').quarantined).toMatchObject([
    { region: 'moon', pricePerHourUsd: 0.1, medianPerHourUsd: 1.05 },
  ])
})

test('sources are listed with their day and rows; a later day in a remark is not the day', async () => {
  const source = 'x/y types.yaml (recorded, 2024-07-11; unchanged on 2026-09-17)'
  const { of } = await read([
    row('linode', 'us-east', 'g6-standard-2', 0.036, { source }),
    row('linode', 'us-west', 'g6-standard-2', 0.036, { source }),
  ])
  expect(of('linode').sources).toEqual([{ text: source, day: '2024-07-11', rows: 2 }])
})

test('the same input gives the same output', async () => {
  const rows = [row('aws', 'us-east-1', 'm5.xlarge', 0.192), row('digitalocean', 'global', 'c-2', 0.0625)]
  const directory = await writeFacts(rows)
  expect(await readFacts(directory, { builtAt })).toEqual(await readFacts(directory, { builtAt }))
})

test('progress is reported per provider, and only selected providers are read', async () => {
  const directory = await writeFacts([row('hetzner', 'fsn1', 'cx23', 0.005)], { aws: null, azure: null })
  const lines: unknown[] = []
  await readFacts(directory, { builtAt, providers: ['hetzner'], onProgress: (line) => lines.push(line) })
  expect(lines).toEqual([{ provider: 'hetzner', rows: 1, offers: 1 }])
})

describe('refused, naming the file', () => {
  const refused = async (files: Record<string, string | null>, message: RegExp) => {
    const directory = await writeFacts([], files)
    const error = await readFacts(directory, { builtAt }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(FactsError)
    expect(String(error)).toMatch(message)
  }
  test('a missing file', () => refused({ gcp: null }, /gcp\.csv\.gz is missing/))
  test('a missing sidecar', () =>
    refused({ 'sidecar-raw_skus': null }, /sidecar-raw_skus\.csv\.gz is missing/))
  test('another header', () => refused({ gcp: 'a,b\n1,2\n' }, /gcp\.csv\.gz has the header "a,b" instead of/))
  test('an empty file', () => refused({ gcp: '' }, /gcp\.csv\.gz is empty/))
  test('no region at all', () =>
    refused({ 'regions-digitalocean': 'slug,name,available\n' }, /no available region/))

  test('a truncated file', async () => {
    const directory = await writeFacts([])
    const file = join(directory, 'azure.csv.gz')
    const whole = gzipSync(
      csv(Array.from({ length: 500 }, (_, i) => row('azure', `r${i}`, 'Standard_D4s_v5', i + 1))),
    )
    await writeFile(file, whole.subarray(0, whole.length - 20))
    await expect(readFacts(directory, { builtAt })).rejects.toThrow(/azure\.csv\.gz cannot be read/)
  })

  test('a broken exchange rate', async () => {
    const directory = await writeFacts([])
    for (const text of ['{', '{}', 'null', '{"EUR_USD": "1", "date": "2026-08-14", "source": "x"}']) {
      await writeFile(join(directory, 'fx.json'), text)
      await expect(readFacts(directory, { builtAt })).rejects.toThrow(FactsError)
    }
  })
})

test('an uncompressed file is accepted', async () => {
  const directory = await writeFacts([], { hetzner: null })
  await writeFile(join(directory, 'hetzner.csv'), csv([row('hetzner', 'fsn1', 'cx23', 0.005)]))
  expect((await readFile(join(directory, 'hetzner.csv'), 'utf8')).length).toBeGreaterThan(0)
  expect((await readFacts(directory, { builtAt })).offers).toHaveLength(1)
})
