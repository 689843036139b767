import type { PlanReading, PlanResource, PlanValues } from '../../../domain/planned-instance.ts'
import { charged, chargeOf, goldenFile, type ListedCharge } from '../../terraform/charges.ts'
import { readDisk } from '../../terraform/disks.ts'
import { azureRegionOf } from '../provider.ts'

const place = ['location', 'resource_group_name']
const month = (perHourUsd: number): number => perHourUsd * 730

// A standard address costs the same in both golden files, whose regions these are.
const addressRegions = ['eastus', 'westeurope']
const address: ListedCharge = {
  name: 'a public address',
  pricePerMonthUsd: month(0.005),
  regions: addressRegions,
  source: goldenFile('public_ip_test', '1a29e8d'),
}
const globalAddress: ListedCharge = {
  ...address,
  name: 'a global public address',
  pricePerMonthUsd: month(0.01),
}
const basicAddress: ListedCharge = {
  name: 'a basic public address',
  pricePerMonthUsd: month(0.0036),
  regions: ['westus'],
  source: goldenFile('lb_rule_test', '027bec3'),
}
const natGateway: ListedCharge = {
  name: 'a NAT gateway',
  pricePerMonthUsd: month(0.045),
  regions: ['westeurope'],
  source: goldenFile('nat_gateway_test', '027bec3'),
}
/** Fee of the tier Standard, which was called Paid. */
export const aksFee: ListedCharge = {
  name: 'the control plane of an AKS cluster',
  pricePerMonthUsd: month(0.1),
  regions: ['eastus'],
  source: goldenFile('kubernetes_cluster_test', '027bec3'),
}

const diskAttributes = {
  size: 'disk_size_gb',
  type: 'storage_account_type',
  iops: 'disk_iops_read_write',
  throughput: 'disk_mbps_read_write',
} as const

export const systemDiskAttributes = { size: 'disk_size_gb', type: 'storage_account_type' } as const

/** What is charged for beside machines. Traffic and operations are not included. */
export const azureCharges: readonly PlanResource[] = [
  charged(
    'azurerm_managed_disk',
    'managed disk without operations',
    [...Object.values(diskAttributes), 'zone', ...place],
    (values) =>
      readDisk(
        values,
        { provider: 'azure', region: azureRegionOf(values), zone: values.text('zone') },
        diskAttributes,
        '',
      ),
  ),
  charged('azurerm_public_ip', 'public address', ['sku', 'sku_tier', ...place], publicAddress),
  charged('azurerm_nat_gateway', 'NAT gateway without traffic', place, (values) => one(values, natGateway)),
]

const one = (values: PlanValues, charge: ListedCharge): PlanReading =>
  chargeOf('azure', azureRegionOf(values), charge)

function publicAddress(values: PlanValues): PlanReading {
  if (values.text('sku_tier').toLowerCase() === 'global') return one(values, globalAddress)
  // Version 4 of the provider: "Defaults to Standard".
  return one(values, values.text('sku').toLowerCase() === 'basic' ? basicAddress : address)
}
