import type { PlanProvider, PlanReading, PlanValues } from '../../domain/planned-instance.ts'
import { diskOf, notingSystemDisks, withDisks } from '../terraform/disks.ts'
import {
  counted,
  free,
  machines,
  poolNodes,
  readPlanned,
  replacedWithin,
  spotIf,
  undecidedIn,
  unpriced,
  windowsIf,
} from '../terraform/reading.ts'
import { azureRegionOf, hasOwnLicence, ownLicenceNote } from './provider.ts'
import { azureCharges, systemDiskAttributes } from './terraform/charges.ts'
import { aksCluster, aksNodePool, aksPoolAttributes } from './terraform/kubernetes.ts'

const place = ['location', 'resource_group_name']
const common = [...place, 'priority', 'license_type', 'zone', 'zones']
const host = ['dedicated_host_id', 'dedicated_host_group_id']
const systemDisk = ['os_disk', ...Object.values(systemDiskAttributes).map((name) => `os_disk.${name}`)]
const single = [...common, ...host, ...systemDisk]
const oldSystem = ['storage_os_disk.os_type', 'storage_profile_os_disk.os_type', 'os_profile_windows_config']

/** Sources: the documentation of the Terraform provider hashicorp/azurerm; for what is free, the pricing pages of Azure. */
export const azurePlans: PlanProvider = {
  source: 'hashicorp/azurerm',
  provider: 'azure',
  environment: { region: ['ARM_LOCATION'] },
  resources: notingSystemDisks([
    machines('azurerm_linux_virtual_machine', 'virtual machine', ['size', ...single], (values) =>
      withSystemDisk(values, 'os_disk', machine(values, 'size', false)),
    ),
    machines('azurerm_windows_virtual_machine', 'virtual machine', ['size', ...single], (values) =>
      withSystemDisk(values, 'os_disk', machine(values, 'size', true)),
    ),
    machines(
      'azurerm_virtual_machine',
      'virtual machine (legacy)',
      ['vm_size', ...common, ...host, ...oldSystem],
      (values) => machine(values, 'vm_size', saysWindows(values)),
    ),
    machines(
      'azurerm_linux_virtual_machine_scale_set',
      'scale set',
      ['sku', 'instances', ...common, ...host],
      (values) => scaleSet(values, 'sku', 'instances', false),
    ),
    machines(
      'azurerm_windows_virtual_machine_scale_set',
      'scale set',
      ['sku', 'instances', ...common, ...host],
      (values) => scaleSet(values, 'sku', 'instances', true),
    ),
    machines(
      'azurerm_virtual_machine_scale_set',
      'scale set (legacy)',
      ['sku.name', 'sku.capacity', ...common, ...host, ...oldSystem],
      (values) => scaleSet(values, 'sku.name', 'sku.capacity', saysWindows(values)),
    ),
    machines(
      'azurerm_orchestrated_virtual_machine_scale_set',
      'scale set (flexible)',
      ['sku_name', 'instances', ...common, ...host, 'os_profile.windows_configuration'],
      (values) =>
        scaleSet(values, 'sku_name', 'instances', values.length('os_profile.windows_configuration') > 0),
    ),
    poolNodes(
      'azurerm_kubernetes_cluster',
      'AKS cluster: nodes of the default pool, and the fee of the tier Standard',
      [...place, 'sku_tier', ...aksPoolAttributes.map((name) => `default_node_pool.${name}`)],
      aksCluster,
    ),
    poolNodes(
      'azurerm_kubernetes_cluster_node_pool',
      'AKS node pool',
      ['kubernetes_cluster_id', ...aksPoolAttributes],
      aksNodePool,
    ),
    ...free('resource groups, identity and policies', [
      ...['azurerm_role_assignment', 'azurerm_role_definition', 'azurerm_user_assigned_identity'],
      ...['azurerm_policy_*', 'azurerm_management_lock'],
      ...['azurerm_ssh_public_key', 'azurerm_availability_set'],
      ...['azurerm_proximity_placement_group', 'azurerm_monitor_autoscale_setting', 'azuread_*'],
    ]),
    ...free('resource group', ['azurerm_resource_group'], ['location']),
    ...free('network without traffic', [
      ...['azurerm_virtual_network', 'azurerm_subnet', 'azurerm_subnet_*', 'azurerm_network_interface'],
      ...['azurerm_network_interface_*', 'azurerm_network_security_group', 'azurerm_network_security_rule'],
      ...['azurerm_route_table', 'azurerm_route', 'azurerm_application_security_group'],
      ...['azurerm_lb_backend_address_pool', 'azurerm_lb_backend_address_pool_address', 'azurerm_lb_probe'],
      ...['azurerm_virtual_machine_data_disk_attachment', 'azurerm_virtual_machine_extension'],
    ]),
    ...azureCharges,
    ...unpriced('snapshots and storage', [...['azurerm_snapshot', 'azurerm_image', 'azurerm_storage_*']]),
    ...unpriced('load balancers, address prefixes and gateways', [
      ...['azurerm_lb', 'azurerm_lb_rule', 'azurerm_public_ip_prefix'],
      ...['azurerm_application_gateway', 'azurerm_firewall', 'azurerm_bastion_host', 'azurerm_frontdoor*'],
      ...['azurerm_virtual_network_gateway', 'azurerm_virtual_network_peering', 'azurerm_private_endpoint'],
      ...['azurerm_private_dns_zone', 'azurerm_dns_zone', 'azurerm_express_route_*', 'azurerm_cdn_*'],
    ]),
    ...unpriced('databases', [
      ...['azurerm_mssql_*', 'azurerm_sql_*', 'azurerm_postgresql_*', 'azurerm_mysql_*', 'azurerm_mariadb_*'],
      ...['azurerm_cosmosdb_*', 'azurerm_redis_cache', 'azurerm_managed_redis', 'azurerm_synapse_*'],
    ]),
    ...unpriced('containers, functions and hosted applications', [
      ...['azurerm_container_*', 'azurerm_service_plan', 'azurerm_app_service_plan', 'azurerm_linux_web_app'],
      ...['azurerm_windows_web_app', 'azurerm_linux_function_app', 'azurerm_windows_function_app'],
      ...['azurerm_batch_pool', 'azurerm_hdinsight_*'],
      ...['azurerm_databricks_workspace', 'azurerm_machine_learning_*'],
    ]),
    ...unpriced('dedicated hosts and reserved capacity', [
      ...['azurerm_dedicated_host', 'azurerm_capacity_reservation'],
    ]),
    ...unpriced('messages, logs, keys and secrets', [
      ...['azurerm_servicebus_*', 'azurerm_eventhub*', 'azurerm_key_vault*', 'azurerm_log_analytics_*'],
      ...['azurerm_application_insights', 'azurerm_monitor_*', 'azurerm_recovery_services_vault'],
    ]),
  ]),
}

function machine(
  values: PlanValues,
  sizePath: string,
  isWindows: boolean,
  group: { count: number } = { count: 1 },
): PlanReading {
  if (values.text('dedicated_host_id') !== '' || values.text('dedicated_host_group_id') !== '') {
    return { unpriced: 'a dedicated host has prices of its own' }
  }
  const isOwnLicence = isWindows && hasOwnLicence(values.text('license_type'))
  const reading = readPlanned(
    values,
    sizePath,
    {
      provider: 'azure',
      region: azureRegionOf(values),
      zone: values.text('zone') || values.text('zones'),
      instanceType: values.text(sizePath),
      operatingSystem: windowsIf(isWindows && !isOwnLicence),
      usageType: spotIf(/^(spot|low)$/i.test(values.text('priority'))),
      ...group,
    },
    isOwnLicence ? [ownLicenceNote] : [],
  )
  return isOwnLicence ? replacedWithin('provider', reading) : reading
}

/** The size of a system disk is that of the image if the plan does not set it; then it is not included. */
function withSystemDisk(values: PlanValues, block: string, reading: PlanReading): PlanReading {
  const place = { provider: 'azure', region: azureRegionOf(values), zone: values.text('zone') }
  return withDisks(
    reading,
    values.blocks(block).map((disk) => diskOf(disk, place, systemDiskAttributes, '', true)),
  )
}

function scaleSet(values: PlanValues, sizePath: string, countPath: string, isWindows: boolean): PlanReading {
  const group = counted(values.number(countPath), undefined, undefined)
  if (group === undefined) return { unpriced: undecidedIn(values, countPath) ?? `${countPath} is not set` }
  return machine(values, sizePath, isWindows, group)
}

const saysWindows = (values: PlanValues): boolean =>
  values.text('storage_os_disk.os_type').toLowerCase() === 'windows' ||
  values.text('storage_profile_os_disk.os_type').toLowerCase() === 'windows' ||
  values.length('os_profile_windows_config') > 0
