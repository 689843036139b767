import type { PlanValues } from '../../../domain/planned-instance.ts'

/**
 * "West Europe" and "westeurope" are the same. If the plan knows the location only after apply,
 * the resource group has it.
 */
export function azureRegionOf(values: PlanValues): string {
  const ownLocation = values.text('location')
  const group =
    ownLocation === '' ? values.resource('resource_group_name', ['azurerm_resource_group']) : undefined
  const location = ownLocation || group?.text('location') || values.providerSetting('region')
  return location.toLowerCase().replaceAll(' ', '')
}
