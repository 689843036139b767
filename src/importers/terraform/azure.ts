import type { PlanReading, PlanResource, PlanValues } from '../../domain/planned-instance.ts'
import { readPlanned, spotIf, windowsIf } from './reading.ts'

/** Terraform provider documentation of hashicorp/azurerm */
export const azureResources: readonly PlanResource[] = [
  { type: 'azurerm_linux_virtual_machine', read: (values) => machine(values, 'size', false) },
  { type: 'azurerm_windows_virtual_machine', read: (values) => machine(values, 'size', true) },
  { type: 'azurerm_virtual_machine', read: (values) => machine(values, 'vm_size', saysWindows(values)) },
  { type: 'azurerm_linux_virtual_machine_scale_set', read: (values) => scaleSet(values, false) },
  { type: 'azurerm_windows_virtual_machine_scale_set', read: (values) => scaleSet(values, true) },
]

function machine(values: PlanValues, sizePath: string, isWindows: boolean, count = 1): PlanReading {
  if (values.text('dedicated_host_id') !== '' || values.text('dedicated_host_group_id') !== '') {
    return { unclear: 'a dedicated host has prices of its own' }
  }
  return readPlanned(values, sizePath, {
    provider: 'azure',
    // "West Europe" and "westeurope" are one
    region: values.text('location').toLowerCase().replaceAll(' ', ''),
    zone: values.text('zone') || values.text('zones'),
    instanceType: values.text(sizePath),
    // With a licence brought along (hybrid benefit), Windows costs what Linux does.
    operatingSystem: windowsIf(isWindows && !/^windows_(server|client)$/i.test(values.text('license_type'))),
    usageType: spotIf(values.text('priority').toLowerCase() === 'spot'),
    count,
  })
}

function scaleSet(values: PlanValues, isWindows: boolean): PlanReading {
  const count = values.number('instances')
  if (count === undefined) return { unclear: 'instances is not told' }
  return machine(values, 'sku', isWindows, count)
}

const saysWindows = (values: PlanValues): boolean =>
  values.text('storage_os_disk.os_type').toLowerCase() === 'windows' ||
  values.length('os_profile_windows_config') > 0
