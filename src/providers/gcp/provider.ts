import type { CustomType, Provider } from '../../domain/provider.ts'
import { lookUp, zoneIn } from '../declare-provider.ts'
import type { FillRules } from '../machine.ts'
import { gkeNodes } from './kubernetes.ts'

export const gcpProvider: Provider = {
  key: 'gcp',
  displayName: 'GCP',
  service: 'ComputeEngine',
  aliases: ['google', 'google cloud', 'google cloud platform', 'gce', 'google compute engine'],
  serviceAliases: ['compute engine', 'gce', 'google compute engine', 'google compute'],
  onByDefault: true,
  isZoneInRegion(zone, region) {
    const name = zone.toLowerCase()
    const place = region.toLowerCase()
    return name === place || (name.startsWith(`${place}-`) && /^[a-z]\w*$/.test(name.slice(place.length + 1)))
  },
  isSoldIn: isGcpSoldIn,
  familyOf,
  burstableBaselineOf: (instanceType) => lookUp(baselines, instanceType),
  sustainedUseDiscountOf: (instanceType) => sustainedUseDiscounts.get(seriesOfType(instanceType)) ?? 0,
  customType,
  wrongWithCustomType,
  commitments: { flexibleSystems: [], hasCommittedUse: true, coverLicences: false },
  // gce://project/us-central1-a/name
  kubernetes: gkeNodes,
  nodeOf: (providerId) => zoneIn(/^gce:\/\/[^/]+\/([a-z0-9-]+)\//, providerId),
}

/**
 * The standard, highmem and highcpu types of a series share their rates, as the prices themselves show. This is not so if
 * a GPU or a local disk is in the price or a part of a core is billed, in m4, whose shapes have their own rates, and with
 * whole machines (metal), whose spot prices move separately.
 */
function familyOf(instanceType: string): string {
  const match = /^([a-z]\d+[a-z]*)-([a-z]+)-\d+(-metal)?$/.exec(instanceType.toLowerCase())
  if (match === null) return customType(instanceType)?.family ?? ''
  const [, series = '', shape = '', metal = ''] = match
  if (/^[ag]\d/.test(series) || shape.endsWith('gpu')) return ''
  if (series === 'n1' && /^(mega|ultra)mem$/.test(shape)) return 'm1'
  return (series === 'm4' ? `m4-${shape}` : series) + metal
}

/**
 * Discounts of machines that run for a whole month. Others have none. Google applies them automatically, but not to
 * licences.
 * Source: Google Cloud documentation, sustained use discounts (CC BY 4.0).
 */
const sustainedUseDiscounts: ReadonlyMap<string, number> = new Map([
  ...['n1', 'm1', 'm2', 'f1', 'g1'].map((series) => [series, 0.3] as const),
  ...['n2', 'n2d', 'c2'].map((series) => [series, 0.2] as const),
])

/** n2d-standard-4 -> n2d; custom-4-10240 -> n1 */
const seriesOfType = (instanceType: string): string =>
  /^(?:([a-z]\d+[a-z]*)-|custom-)/.exec(instanceType.toLowerCase())?.[1] ?? 'n1'

/** Whether the price of a type includes its GPUs. Only types of N1, also custom ones, have GPUs with prices of their own. */
export const includesGpus = (instanceType: string): boolean => /^(?:a\d|g[2-9])/i.test(instanceType)

/** The small a3-highgpu types are sold only as spot or flex-start. Google Cloud documentation, accelerator-optimised machines. */
export const isGcpSold: NonNullable<FillRules['isSold']> = ({ instanceType, usageType }) =>
  usageType === 'SPOT_PREEMPTIBLE' || !/^a3-highgpu-[124]g$/.test(instanceType)

/** The price list has series in regions without them. In a region that no table below names, everything is sold. */
function isGcpSoldIn(instanceType: string, region: string): boolean {
  if (!knownGcpRegions.has(region)) return true
  const series = seriesOfType(instanceType)
  const kind = /^[a-z]\d+[a-z]*-[a-z]+(?=-)/.exec(instanceType)?.[0] ?? ''
  const regions = regionsOfSeries.get(kind) ?? regionsOfSeries.get(series)
  return (regions?.has(region) ?? true) && !(regionsWithout.get(series)?.has(region) ?? false)
}

function customType(instanceType: string): CustomType | null {
  const read = readCustom(instanceType)
  return typeof read === 'string' ? null : read
}

function wrongWithCustomType(instanceType: string): string | undefined {
  const read = readCustom(instanceType)
  return typeof read === 'string' ? read : undefined
}

/** n2-custom-4-10240, custom-4-10240 (n1), n2-custom-2-20480-ext: vCPUs, MiB. A clause if it cannot be ordered, else null. */
function readCustom(instanceType: string): CustomType | string | null {
  const match = /^(?:([a-z]\d[a-z]?)-)?custom-(\d{1,3})-(\d{3,7})(-ext)?$/.exec(instanceType.toLowerCase())
  if (match === null) return null
  const [, family = 'n1', cores, mib, extended] = match
  const limit = Object.hasOwn(customLimits, family) ? customLimits[family] : undefined
  if (limit === undefined)
    return `custom types are of ${Object.keys(customLimits).join(', ')}, not of ${family}`
  if (extended !== undefined && limit.maxExtendedGib === 0) return `${family} has no extended memory (-ext)`
  const vcpus = Number(cores)
  const { minVcpus, maxVcpus } = limit
  if (vcpus < minVcpus || vcpus > maxVcpus)
    return `custom types of ${family} have ${minVcpus} to ${maxVcpus} vCPUs`
  if (vcpus !== 1 && vcpus % 2 !== 0)
    return `the number of vCPUs must be ${minVcpus === 1 ? '1 or even' : 'even'}`
  if (Number(mib) % 256 !== 0) return 'the memory, in MiB, must be a multiple of 256'
  const ramGib = Number(mib) / 1024
  const minGib = vcpus * limit.minGibPerVcpu
  const maxGib =
    extended === undefined ? Math.min(vcpus * limit.maxGibPerVcpu, limit.maxGib) : limit.maxExtendedGib
  if (ramGib < minGib || ramGib > maxGib) {
    const more = ramGib > maxGib && limit.maxExtendedGib > maxGib ? ', or more with -ext' : ''
    return `with ${vcpus} vCPUs the memory must be ${minGib * 1024} to ${maxGib * 1024} MiB${more}`
  }
  return { family, customFamily: `${family}-custom`, vcpus, ramGib }
}

interface CustomLimit {
  readonly minVcpus: number
  readonly maxVcpus: number
  readonly minGibPerVcpu: number
  readonly maxGibPerVcpu: number
  readonly maxGib: number
  /** 0 if the series has no extended memory. */
  readonly maxExtendedGib: number
}

const limit = (
  minVcpus: number,
  maxVcpus: number,
  minGibPerVcpu: number,
  maxGibPerVcpu: number,
  maxGib: number,
  maxExtendedGib: number,
): CustomLimit => ({ minVcpus, maxVcpus, minGibPerVcpu, maxGibPerVcpu, maxGib, maxExtendedGib })

/**
 * Source: https://cloud.google.com/compute/docs/instances/creating-instance-with-custom-machine-type and its sample
 * compute-custom-machine-type-helper-class; most vCPUs and GiB are those of the series' largest predefined type.
 */
const customLimits: Record<string, CustomLimit> = {
  n1: limit(1, 96, 0.9, 6.5, 624, 624),
  e2: limit(2, 32, 0.5, 8, 128, 0),
  n2: limit(2, 128, 0.5, 8, 864, 864),
  n2d: limit(2, 224, 0.5, 8, 896, 896),
  n4: limit(2, 80, 2, 8, 640, 640),
  n4d: limit(2, 96, 2, 8, 768, 768),
  n4a: limit(1, 64, 2, 8, 512, 512),
}

/**
 * Share of a vCPU that a shared-core type sustains: e2-micro 2 x 12.5%, e2-small 2 x 25%, e2-medium 2 x 50%.
 * Source: https://cloud.google.com/compute/docs/general-purpose-machines (E2 and N1 shared-core).
 */
const baselines: Record<string, number> = {
  'e2-micro': 0.125,
  'e2-small': 0.25,
  'e2-medium': 0.5,
  'f1-micro': 0.2,
  'g1-small': 0.5,
}

/**
 * Regions of series that the list also has in regions without them.
 * Sources, united: the types by zone in the price facts (machine-type-zones-gcp, an older snapshot) and
 * skypilot-org/skypilot-catalog catalogs/v8/gcp/vms.csv, which lists the types that each zone offers (commits 8427bbf and
 * 006059e, read on 2026-11-17; other series of its rows in the price facts, 2026-08-21).
 */
const regionsOfSeries = new Map([
  [
    'a2-highgpu',
    regionsIn(
      'asia-northeast1 asia-northeast3 asia-southeast1 europe-west4 me-west1',
      'us-central1 us-east1 us-west1 us-west3 us-west4',
    ),
  ],
  ['a2-megagpu', regionsIn('asia-southeast1 europe-west4 us-central1 us-east1')],
  ['a2-ultragpu', regionsIn('asia-southeast1 europe-west4 us-central1 us-east4 us-east5')],
  [
    'a3-highgpu',
    regionsIn(
      'asia-east1 asia-northeast1 asia-south1 asia-south2 asia-southeast1 australia-southeast1',
      'europe-north1 europe-west1 europe-west3 europe-west4 europe-west8 europe-west9',
      'us-central1 us-east4 us-east5 us-west1 us-west4',
    ),
  ],
  [
    'g2-standard',
    regionsIn(
      'asia-east1 asia-northeast1 asia-northeast3 asia-south1 asia-southeast1',
      'europe-west1 europe-west2 europe-west3 europe-west4 europe-west6 me-central2',
      'northamerica-northeast1 northamerica-northeast2 us-central1 us-east1 us-east4 us-west1 us-west4',
    ),
  ],
  [
    'c3d',
    regionsIn(
      'asia-east1 asia-south1 asia-southeast1 australia-southeast1 australia-southeast2 europe-north1',
      'europe-north2 europe-west1 europe-west2 europe-west3 europe-west4 me-central2 me-west1',
      'northamerica-south1 us-central1 us-east1 us-east4 us-east5 us-west1 us-west2 us-west4',
    ),
  ],
  ['h3', regionsIn('europe-west4 northamerica-northeast1 us-central1')],
  [
    'n4d',
    regionsIn(
      'asia-south1 asia-southeast1 europe-west1 europe-west2 europe-west3 europe-west4 us-central1',
      'us-east1 us-east4 us-east5 us-west1 us-west3 us-west4',
    ),
  ],
  ['t2a', regionsIn('asia-southeast1 europe-west4 us-central1')],
])

/** Regions in which the sources have no type of a series, although the list has prices. */
const regionsWithout = new Map([
  [
    'c2',
    regionsIn(
      'africa-south1 asia-southeast2 australia-southeast2 europe-central2 europe-north2',
      'europe-southwest1 europe-west10 europe-west12 europe-west8 europe-west9 me-central1',
      'northamerica-northeast2 us-south1',
    ),
  ],
  [
    'c2d',
    regionsIn(
      'asia-southeast2 europe-north1 europe-west10 europe-west6 europe-west9 me-central1',
      'southamerica-west1 us-east5 us-south1',
    ),
  ],
  [
    'c3',
    regionsIn(
      'africa-south1 asia-northeast2 europe-central2 europe-southwest1 europe-west12 europe-west6',
      'europe-west8 southamerica-west1',
    ),
  ],
  [
    'f1',
    regionsIn(
      'africa-south1 europe-north2 europe-southwest1 europe-west10 europe-west12 europe-west8',
      'europe-west9 me-central1 me-central2 me-west1 northamerica-south1 southamerica-west1 us-east5',
      'us-south1',
    ),
  ],
  [
    'g1',
    regionsIn(
      'africa-south1 europe-north2 europe-southwest1 europe-west10 europe-west12 europe-west8',
      'europe-west9 me-central1 me-central2 me-west1 northamerica-south1 southamerica-west1 us-east5',
      'us-south1',
    ),
  ],
  [
    'm1',
    regionsIn(
      'africa-south1 asia-east2 europe-north1 europe-north2 europe-west10 europe-west12 me-central1',
      'me-central2 northamerica-south1 us-east5 us-south1 us-west3',
    ),
  ],
  ['m3', regionsIn('asia-east2 asia-southeast2 europe-west10 us-east5 us-south1 us-west2')],
  ['n1', regionsIn('africa-south1 europe-west10 europe-west12 me-central1 me-central2 us-east5 us-south1')],
  ['n4a', regionsIn('africa-south1')],
  ['t2d', regionsIn('asia-northeast3')],
])

/** The sources also list southamerica-east1, which has none of the series above and lacks none of the others. */
export const knownGcpRegions = new Set([
  ...[...regionsOfSeries.values(), ...regionsWithout.values()].flatMap((regions) => [...regions]),
  'southamerica-east1',
])

function regionsIn(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
