import type { InventoryFormat, InventoryItem, MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { at, itemsWith, keysAt, listAt, mean, nodeIf, numberAt, textAt } from '../inventory/json-path.ts'
import { hasOwnLicence, ownLicenceNote } from './provider.ts'

const readMachines = itemsWith('hardwareProfile', (one) => readMachine(one))
const readDisks = itemsWith('diskSizeGb', (one) => readDisk(one))

/** https://learn.microsoft.com/cli/azure/vm#az-vm-list; with -d the output includes the power state. */
export const azureInventory: InventoryFormat = {
  command: 'az vm list or az disk list',
  read: (document) => readMachines(document) ?? readDisks(document),
}

const regionOf = (one: unknown): string => textAt(one, 'location').toLowerCase().replaceAll(' ', '')

function readDisk(disk: unknown): InventoryItem {
  const known = { id: textAt(disk, 'id'), name: textAt(disk, 'name'), provider: 'azure' }
  if (textAt(disk, 'osType') !== '')
    return { ...known, unclear: 'few types of disk can hold an operating system' }
  const type = textAt(disk, 'sku', 'name')
  // The tier determines the IOPS of the other types.
  const isBought = /^(?:PremiumV2|UltraSSD)/.test(type)
  return {
    ...known,
    region: regionOf(disk),
    type,
    capacityGib: numberAt(disk, 'diskSizeGb') ?? 0,
    iops: isBought ? numberAt(disk, 'diskIopsReadWrite') : undefined,
    throughputMbps: isBought ? numberAt(disk, 'diskMBpsReadWrite') : undefined,
    isAttached: textAt(disk, 'diskState') !== 'Unattached',
  }
}

function readMachine(machine: unknown): InventoryItem {
  const known = { id: textAt(machine, 'id'), name: textAt(machine, 'name'), provider: 'azure' }
  const state = textAt(machine, 'powerState')
  if (state !== '' && state !== 'VM running')
    return { ...known, unclear: `it is ${state.replace(/^VM /, '')}` }
  if (textAt(machine, 'host', 'id') !== '' || textAt(machine, 'hostGroup', 'id') !== '')
    return { ...known, unclear: 'a dedicated host has prices of its own' }
  const publisher = textAt(machine, 'storageProfile', 'imageReference', 'publisher')
  if (/^(?:redhat|suse|microsoftsqlserver)/i.test(publisher))
    return { ...known, unclear: `its image by ${publisher} may have a paid licence` }
  const security = textAt(machine, 'securityProfile', 'securityType')
  if (security === 'ConfidentialVM') return { ...known, unclear: 'confidential machines are not compared' }
  const isWindows = textAt(machine, 'storageProfile', 'osDisk', 'osType').toLowerCase() === 'windows'
  const isOwnLicence = isWindows && hasOwnLicence(textAt(machine, 'licenseType'))
  return {
    ...known,
    region: regionOf(machine),
    zone: textAt(machine, 'zones', 0),
    instanceType: textAt(machine, 'hardwareProfile', 'vmSize'),
    operatingSystem: isWindows && !isOwnLicence ? 'Windows' : 'Linux',
    usageType: textAt(machine, 'priority').toLowerCase() === 'spot' ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    ...(isOwnLicence ? { replaceWithin: { scope: 'provider', why: ownLicenceNote } } : {}),
    ...nodeIf(keysAt(machine, 'tags').some((key) => /^aks-managed-/i.test(key))),
  }
}

const gibBytes = 2 ** 30

/** https://learn.microsoft.com/cli/azure/monitor/metrics#az-monitor-metrics-list */
export const azureMonitorUsage: UsageFormat = {
  source: 'az monitor metrics list',
  read(document) {
    if (!Array.isArray(at(document, 'value')) || at(document, 'value', 0, 'timeseries') === undefined)
      return undefined
    return listAt(document, 'value').flatMap((metric): MachineUsage[] => {
      const names = [textAt(metric, 'id').replace(/\/providers\/microsoft\.insights\/.*$/i, '')]
      const points = listAt(metric, 'timeseries').flatMap((series) => listAt(series, 'data'))
      const average = mean(points.map((point) => at(point, 'average')))
      const name = textAt(metric, 'name', 'value').toLowerCase()
      if (average === undefined) return []
      if (name === 'percentage cpu') return [{ names, cpuShare: average / 100 }]
      if (name === 'available memory percentage') return [{ names, memoryShare: 1 - average / 100 }]
      return name === 'available memory bytes' ? [{ names, freeMemoryGib: average / gibBytes }] : []
    })
  },
}
