import type { PlanValues } from '../../domain/planned-instance.ts'
import type { Provider } from '../../domain/provider.ts'
import { lookUp, zoneIn } from '../declare-provider.ts'
import { aksNodes } from './kubernetes.ts'

export const azureProvider: Provider = {
  key: 'azure',
  displayName: 'Azure',
  service: 'AzureCompute',
  aliases: ['microsoft', 'microsoft azure', 'ms azure', 'az'],
  serviceAliases: ['azure compute', 'virtual machines', 'azure virtual machines', 'azure vm', 'vm'],
  onByDefault: true,
  isZoneInRegion(zone, region) {
    const name = zone.toLowerCase()
    const place = region.toLowerCase()
    return (
      /^[123]$/.test(name.startsWith(`${place}-`) ? name.slice(place.length + 1) : name) || name === place
    )
  },
  zonesOfEveryRegion: ['1', '2', '3'],
  familyOf(instanceType) {
    const name = parseAzureName(instanceType)
    // A type with constrained vCPUs costs as much as with all of them, and a burstable type is billed for a part of a
    // core, so neither shares rates with others.
    if (name === null || name.constrainedVcpus !== null) return ''
    if (lookUp(baselines, instanceType) !== null) return ''
    return `${name.basic ? 'Basic_' : ''}${name.series}${name.features}${name.suffix}`
  },
  isReservable: (instanceType) => !unreservable.test(instanceType),
  // NC6s_v3, "D4s v5", "Standard D4s v5", standard-d4s-v5
  otherTypeNames(name) {
    const plain = name.trim().replace(/[\s-]+(?=v\d)|(?<=^(standard|basic))[\s-]+|\s+/gi, '_')
    return /^(standard|basic)_/i.test(plain) ? [plain] : [`Standard_${plain}`, `Basic_${plain}`]
  },
  burstableBaselineOf: (instanceType) => lookUp(baselines, instanceType),
  // The sizes are in catalogue/flexible-sizes.json. Licences are not covered.
  commitments: { flexibleSystems: ['Linux', 'Windows'], coverLicences: false },
  // azure:///subscriptions/.../virtualMachines/0
  kubernetes: aksNodes,
  nodeOf: (providerId) => zoneIn(/^azure:\/\//, providerId),
}

/**
 * Av2, Amv2, Bv1, D to Dsv3, Ev3, Esv3, F to Fsv2, G, Gs, Ls, Lsv2: no new reservations and no renewals since 2026-07-01.
 * Sources: MicrosoftDocs/azure-compute-docs previous-gen-sizes-list.md (8e5a077); the announcement of 2026-05-04.
 */
const unreservable =
  /^standard_(?:a\d+m?_v2|b\d+(?:l?s|ms)|ds?\d+(?:-\d+)?(?:_v2)?|[de]\d+(?:-\d+)?i?s?_v3|f\d+s?(?:_v2)?|gs?\d+(?:-\d+)?|l\d+s(?:_v2)?)$/i

interface AzureName {
  readonly basic: boolean
  /** D, DC, NC, ... */
  readonly series: string
  /** vCPUs in most series, a size number in the oldest. */
  readonly number: number
  /** Standard_D64-16s_v3 offers 16 of its 64 vCPUs. */
  readonly constrainedVcpus: number | null
  readonly features: string
  /** _v5, _A100_v4, _3_v3, _Promo, ... */
  readonly suffix: string
  /** The same size with all its vCPUs; the name itself if it is not constrained. */
  readonly unconstrained: string
}

/** learn.microsoft.com/azure/virtual-machines/vm-naming-conventions. The constrained count has two places: M64-32ms, M24s-12_v3. */
export function parseAzureName(instanceType: string): AzureName | null {
  const match =
    /^(standard|basic)_([a-z]+)(\d+)(?:-(\d+))?([a-z]*)(?:-(\d+))?((?:_\w+)?)$/i.exec(instanceType) ??
    undefined
  if (match === undefined) return null
  const [, tier = '', series = '', number = '', early, features = '', late, suffix = ''] = match
  const constrained = early ?? late
  return {
    basic: tier.toLowerCase() === 'basic',
    series,
    number: Number(number),
    constrainedVcpus: constrained === undefined ? null : Number(constrained),
    features,
    suffix,
    unconstrained: `${tier}_${series}${number}${features}${suffix}`,
  }
}

/**
 * Base CPU performance of the VM on a 0-100% scale, which is the share of each vCPU.
 * Sources: https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/bv1-series (v1),
 * .../bsv2-series, .../basv2-series, .../bpsv2-series (v2: ts 20%, ls 30%, s 40%).
 */
const baselines: Record<string, number> = {
  standard_b1ls: 0.05,
  standard_b1s: 0.1,
  standard_b1ms: 0.2,
  standard_b2s: 0.2,
  standard_b2ms: 0.3,
  standard_b4ms: 0.225,
  standard_b8ms: 0.17,
  standard_b12ms: 0.17,
  standard_b16ms: 0.17,
  standard_b20ms: 0.17,
  ...Object.fromEntries(
    ['', 'a', 'p'].flatMap((maker) => [
      [`standard_b2${maker}ts_v2`, 0.2],
      ...[2, 4, 8, 16, 32].flatMap((vcpus) => [
        [`standard_b${vcpus}${maker}ls_v2`, 0.3],
        [`standard_b${vcpus}${maker}s_v2`, 0.4],
      ]),
    ]),
  ),
}

/**
 * Whether a Windows machine runs with a licence of the customer (Azure Hybrid Benefit). It then costs as much as Linux, but only at
 * Azure: other providers charge for Windows or have other rules for such licences.
 */
export const hasOwnLicence = (licenceType: string): boolean => /^windows_(server|client)$/i.test(licenceType)

export const ownLicenceNote =
  'runs Windows with your own licence (Azure Hybrid Benefit): priced without the licence, compared within Azure only'

/** "West Europe" and "westeurope" are the same. If the plan knows the location only after apply, the resource group has it. */
export function azureRegionOf(values: PlanValues): string {
  const ownLocation = values.text('location')
  const group =
    ownLocation === '' ? values.resource('resource_group_name', ['azurerm_resource_group']) : undefined
  const location = ownLocation || group?.text('location') || values.providerSetting('region')
  return location.toLowerCase().replaceAll(' ', '')
}
