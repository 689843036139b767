import type { PlanValues } from '../../domain/planned-instance.ts'

/** "West Europe" and "westeurope" are one. Where the plan knows it only after apply, the resource group has it. */
export function azureRegionOf(values: PlanValues): string {
  const own = values.text('location')
  const group = own === '' ? values.resource('resource_group_name', ['azurerm_resource_group']) : undefined
  const location = own || group?.text('location') || values.providerSetting('region')
  return location.toLowerCase().replaceAll(' ', '')
}
