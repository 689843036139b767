import type { PlanReading, PlanValues } from '../../../domain/planned-instance.ts'
import { withCharge } from '../../terraform/charges.ts'
import { counted, readPlanned, spotIf, undecidedIn, windowsIf } from '../../terraform/reading.ts'
import { azureRegionOf } from '../provider.ts'
import { aksFee } from './charges.ts'

/** The default pool and any other pool have the same attributes. Version 4 of the provider renamed enable_auto_scaling. */
export const aksPoolAttributes = [
  'vm_size',
  'node_count',
  'min_count',
  'max_count',
  'auto_scaling_enabled',
  'enable_auto_scaling',
  'os_type',
  'os_sku',
  'priority',
]

export function aksCluster(values: PlanValues): PlanReading {
  const tier = values.text('sku_tier')
  // Documentation of azurerm_kubernetes_cluster: "Defaults to Free"; Paid is the old name of Standard.
  const region = azureRegionOf(values)
  const notes = /^premium$/i.test(tier) ? [`the fee of the cluster (tier ${tier}) is not included`] : []
  const reading = pool(values, 'default_node_pool.', region, notes)
  return /^(standard|paid)$/i.test(tier) ? withCharge(reading, 'azure', region, aksFee) : reading
}

/** A pool is in the region of its cluster. */
export function aksNodePool(values: PlanValues): PlanReading {
  const owner = values.resource('kubernetes_cluster_id', ['azurerm_kubernetes_cluster'])
  return pool(values, '', owner === undefined ? values.providerSetting('region') : azureRegionOf(owner), [])
}

function pool(values: PlanValues, prefix: string, region: string, notes: readonly string[]): PlanReading {
  const scales = values.flag(`${prefix}auto_scaling_enabled`) || values.flag(`${prefix}enable_auto_scaling`)
  const bound = (name: string) => (scales ? values.number(prefix + name) : undefined)
  const undecided = scales ? undefined : undecidedIn(values, `${prefix}node_count`)
  if (undecided !== undefined) return { unpriced: undecided }
  // Without a number a pool has one node.
  const desired = values.number(`${prefix}node_count`) ?? (scales ? undefined : 1)
  const group = counted(desired, bound('min_count'), bound('max_count'))
  if (group === undefined) return { unpriced: `${prefix}node_count and ${prefix}min_count are not set` }
  const isWindows =
    /^windows/i.test(values.text(`${prefix}os_type`)) || /^windows/i.test(values.text(`${prefix}os_sku`))
  return readPlanned(
    values,
    `${prefix}vm_size`,
    {
      provider: 'azure',
      region,
      instanceType: values.text(`${prefix}vm_size`),
      operatingSystem: windowsIf(isWindows),
      usageType: spotIf(values.text(`${prefix}priority`).toLowerCase() === 'spot'),
      ...group,
    },
    notes,
  )
}
