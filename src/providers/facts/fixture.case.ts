import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { factsFiles } from './provider-facts.ts'
import { factColumns } from './row.ts'

/** A price row in the real format. The day is part of the source. */
export function row(
  provider: string,
  region: string,
  type: string,
  price: number | string,
  rest: Partial<Row> = {},
): Row {
  return {
    provider,
    service: 'as the source calls it',
    region,
    availability_zone: '',
    instance_type: type,
    operating_system: 'Linux',
    usage_type: 'ondemand',
    term: '',
    vcpus: '4',
    ram_gib: '16',
    architecture: 'x86_64',
    gpu_count: '0',
    gpu_name: '',
    price_usd_per_hour: String(price),
    source: 'someone/prices@abc list.csv (2026-08-22)',
    ...rest,
  }
}

export type Row = Record<(typeof factColumns)[number], string>

export const sizeless = { vcpus: '', ram_gib: '', architecture: '', gpu_count: '' }

const sidecars: Record<string, string> = {
  'sidecar-monthly_caps': 'provider,region,instance_type,monthly_cap_usd\ndigitalocean,global,c-2,42\n',
  'sidecar-native_currency_prices':
    'provider,region,availability_zone,instance_type,operating_system,currency,price_per_hour\nhetzner,fsn1,,cx23,Linux,EUR,0.0048\n',
  'sidecar-raw_skus': [
    'provider,region,instance_type,operating_system,usage_type,term,sku_id,rate_or_meter_id,family_or_product,network_or_meter_name,storage_or_sku_name,price_usd',
    'aws,us-east-1,m5.xlarge,Linux,ondemand,,5G4T,5G4T.JRTC.6YS6,General purpose,Up to 10 Gigabit,EBS only,0.1920000000',
    'azure,eastus,Standard_D16as_v4,Linux,spot,,DZH/1,meter-1,Dav4 Series,D16a v4/D16as v4 Spot,D16a v4 Spot,0.15',
    'azure,eastus,Standard_D16as_v4,Linux,spot,,DZH/2,meter-2,Dasv4 Series,D16as v4 Spot,D16as v4 Spot,0.15',
    'azure,eastus,Standard_D16as_v4,Linux,spot,,DZH/3,meter-3,Dasv4 Series,D16as v4 Spot,D16as v4 Spot,0.99',
    '',
  ].join('\n'),
  'zones-gcp':
    'NAME;REGION;STATUS;NEXT_MAINTENANCE;TURNDOWN_DATE\nus-central1-a;us-central1;UP;;\nus-central1-z;us-central1;DOWN;;\nmars1-a;mars1;UP;;\n',
  'regions-digitalocean':
    'slug,name,available\nnyc1,New York 1,true\nsfo1,San Francisco 1,false\nams3,Amsterdam 3,true\n',
}

/**
 * Writes a directory of facts: the rows, and files with only a header for providers without rows. Files given as
 * text replace the usual ones.
 */
export async function writeFacts(
  rows: readonly Row[],
  files: Record<string, string | null> = {},
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'facts-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const all: Record<string, string | null> = { ...sidecars }
  for (const { provider } of factsFiles)
    all[provider.key] = csv(rows.filter((one) => one.provider === provider.key))
  for (const [name, text] of Object.entries({ ...all, ...files }))
    if (text !== null) await writeFile(join(directory, `${name}.csv.gz`), gzipSync(text))
  await writeFile(join(directory, 'fx.json'), '{"EUR_USD": 1.1567, "date": "2026-08-14", "source": "ECB"}')
  return directory
}

export const csv = (rows: readonly Row[]): string =>
  [
    factColumns.join(','),
    ...rows.map((one) => factColumns.map((name) => quoted(one[name])).join(',')),
    '',
  ].join('\n')

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
