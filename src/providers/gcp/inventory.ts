import type { InventoryFormat, InventoryItem } from '../../domain/inventory.ts'
import {
  at,
  itemsWith,
  keysAt,
  lastPathPart,
  listAt,
  nodeIf,
  numberAt,
  textAt,
} from '../inventory/json-path.ts'
import { includesGpus } from './provider.ts'

/** https://cloud.google.com/compute/docs/reference/rest/v1/instances, as --format=json prints it. */
export const gcpInventory: InventoryFormat = {
  command: 'gcloud compute instances list or disks list --format=json',
  read: (document) => readInstances(document) ?? readDisks(document),
}

const readInstances = itemsWith('machineType', (one) => readInstance(one))
const readDisks = itemsWith('sizeGb', (one) => readDisk(one))

function readDisk(disk: unknown): InventoryItem {
  const zone = lastPathPart(textAt(disk, 'zone'))
  return {
    ...{ id: textAt(disk, 'id'), name: textAt(disk, 'name'), provider: 'gcp' },
    region: lastPathPart(textAt(disk, 'region')) || zone.replace(/-[a-z]$/, ''),
    type: lastPathPart(textAt(disk, 'type')),
    capacityGib: numberAt(disk, 'sizeGb') ?? 0,
    iops: numberAt(disk, 'provisionedIops'),
    throughputMbps: numberAt(disk, 'provisionedThroughput'),
    isAttached: listAt(disk, 'users').length > 0,
  }
}

function readInstance(instance: unknown): InventoryItem {
  const known = { id: textAt(instance, 'id'), name: textAt(instance, 'name'), provider: 'gcp' }
  const status = textAt(instance, 'status')
  if (status !== '' && status !== 'RUNNING') return { ...known, unclear: `it is ${status.toLowerCase()}` }
  const machineType = lastPathPart(textAt(instance, 'machineType'))
  if (listAt(instance, 'guestAccelerators').length > 0 && !includesGpus(machineType))
    return { ...known, unclear: 'attached accelerators have prices of their own' }
  if (listAt(instance, 'scheduling', 'nodeAffinities').length > 0)
    return { ...known, unclear: 'a sole-tenant node has prices of its own' }
  if (at(instance, 'confidentialInstanceConfig', 'enableConfidentialCompute') === true)
    return { ...known, unclear: 'confidential machines are not compared' }
  if (listAt(instance, 'disks').some((disk) => textAt(disk, 'type') === 'SCRATCH'))
    return { ...known, unclear: 'attached local disks have prices of their own' }
  const zone = lastPathPart(textAt(instance, 'zone'))
  const licences = listAt(instance, 'disks').flatMap((disk) => listAt(disk, 'licenses'))
  const isSpot =
    at(instance, 'scheduling', 'preemptible') === true ||
    textAt(instance, 'scheduling', 'provisioningModel') === 'SPOT'
  return {
    ...known,
    region: zone.replace(/-[a-z]$/, ''),
    zone,
    instanceType: machineType,
    operatingSystem: systemOf(licences.map((licence) => String(licence))),
    usageType: isSpot ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    ...nodeIf(keysAt(instance, 'labels').includes('goog-gke-node')),
  }
}

/** projects/windows-cloud/global/licenses/windows-server-2022-dc, projects/rhel-cloud/global/licenses/rhel-9-server */
function systemOf(licences: readonly string[]): string {
  const paid = licences.find((licence) => /\b(rhel|sles|sql)/i.test(lastPathPart(licence)))
  if (paid !== undefined) return lastPathPart(paid)
  return licences.some((licence) => /windows/i.test(licence)) ? 'Windows' : 'Linux'
}
