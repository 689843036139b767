import type { InventoryFormat, InventoryItem, MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { at, listAt, mean, nodeIf, numberAt, textAt } from '../inventory/json-path.ts'

/** https://docs.aws.amazon.com/cli/latest/reference/ec2/describe-instances.html, and describe-volumes.html beside it */
export const awsInventory: InventoryFormat = {
  command: 'aws ec2 describe-instances or describe-volumes',
  read: (document) => {
    if (Array.isArray(at(document, 'Volumes'))) return listAt(document, 'Volumes').map(readVolume)
    if (!Array.isArray(at(document, 'Reservations'))) return undefined
    return listAt(document, 'Reservations').flatMap((reservation) =>
      listAt(reservation, 'Instances').map(readInstance),
    )
  },
}

function named(one: unknown, id: string) {
  const tag = listAt(one, 'Tags').find((each) => textAt(each, 'Key') === 'Name')
  return { id, name: textAt(tag, 'Value') || id, provider: 'aws' }
}

/** us-east-1a -> us-east-1 */
const regionOf = (zone: string): string => /^[a-z]+(?:-[a-z]+)+-\d+/.exec(zone)?.[0] ?? ''

function readVolume(volume: unknown): InventoryItem {
  const type = textAt(volume, 'VolumeType')
  // The size determines the IOPS of the other types.
  const isBought = /^(?:gp3|io\d)$/.test(type)
  return {
    ...named(volume, textAt(volume, 'VolumeId')),
    region: regionOf(textAt(volume, 'AvailabilityZone')),
    type,
    capacityGib: numberAt(volume, 'Size') ?? 0,
    iops: isBought ? numberAt(volume, 'Iops') : undefined,
    throughputMbps: isBought ? numberAt(volume, 'Throughput') : undefined,
    isAttached: textAt(volume, 'State') !== 'available',
  }
}

function readInstance(instance: unknown): InventoryItem {
  const known = named(instance, textAt(instance, 'InstanceId'))
  const state = textAt(instance, 'State', 'Name')
  const tenancy = textAt(instance, 'Placement', 'Tenancy')
  if (state !== '' && state !== 'running') return { ...known, unclear: `it is ${state}` }
  if (tenancy === 'dedicated' || tenancy === 'host')
    return { ...known, unclear: `tenancy ${tenancy} has prices of its own` }
  if (textAt(instance, 'InstanceLifecycle') === 'capacity-block')
    return { ...known, unclear: 'capacity blocks have prices of their own' }
  if (textAt(instance, 'OutpostArn') !== '') return { ...known, unclear: 'it runs on an Outpost' }
  if (textAt(instance, 'CpuOptions', 'AmdSevSnp') === 'enabled')
    return { ...known, unclear: 'confidential machines are not compared' }
  if (textAt(instance, 'VirtualizationType') === 'paravirtual')
    return { ...known, unclear: 'a paravirtual image does not start on current types' }
  const zone = textAt(instance, 'Placement', 'AvailabilityZone')
  if (/-\d+-/.test(zone)) return { ...known, unclear: `the local zone ${zone} has prices of its own` }
  return {
    ...known,
    region: regionOf(zone),
    zone: textAt(instance, 'Placement', 'AvailabilityZoneId') || zone,
    instanceType: textAt(instance, 'InstanceType'),
    operatingSystem: textAt(instance, 'PlatformDetails') || textAt(instance, 'Platform') || 'Linux',
    usageType: textAt(instance, 'InstanceLifecycle') === 'spot' ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    // eks:cluster-name, aws:eks:cluster-name, eks:eks-cluster-name
    ...nodeIf(listAt(instance, 'Tags').some((one) => /^(?:aws:)?eks:/.test(textAt(one, 'Key')))),
  }
}

/**
 * https://docs.aws.amazon.com/cli/latest/reference/cloudwatch/get-metric-data.html; the label names instance and metric.
 * A label without an instance id has the name of the machine. The whole label stands for a metric that is not known, so
 * that it is listed as unmatched.
 */
export const cloudWatchUsage: UsageFormat = {
  source: 'aws cloudwatch get-metric-data',
  read(document) {
    if (!Array.isArray(at(document, 'MetricDataResults'))) return undefined
    // The command joins pages, each of which has a part of the values of a query.
    const pages = Map.groupBy(listAt(document, 'MetricDataResults'), (result) => textAt(result, 'Label'))
    return [...pages].flatMap(([label, results]): MachineUsage[] => {
      const percent = mean(results.flatMap((result) => listAt(result, 'Values')))
      if (percent === undefined) return []
      const metric = cpuMetric.exec(label)?.[0] ?? memoryMetric.exec(label)?.[0]
      if (metric === undefined || memoryInBytes.test(metric)) return [{ names: [label] }]
      const machine = /\bi-[0-9a-f]+\b/.exec(label)?.[0] ?? label.replace(metric, '').trim()
      const names = [machine || label]
      const share = percent / 100
      if (cpuMetric.test(metric)) return [{ names, cpuShare: share }]
      return [{ names, memoryShare: metric.toLowerCase() === 'mem_available_percent' ? 1 - share : share }]
    })
  },
}

const cpuMetric = /\b(?:cpuutilization|cpu_usage\w*)\b/i
/** The last word of this kind, because a machine may be called memcached. */
const memoryMetric = /\bmem\w*\b(?!.*\bmem)/i
/** Metrics of the CloudWatch agent that are not in percent. */
const memoryInBytes = /^mem_(?:active|available|buffered|cached|free|inactive|shared|total|used)$/i
