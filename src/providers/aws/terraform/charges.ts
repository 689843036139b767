import type { PlanReading, PlanResource, PlanValues } from '../../../domain/planned-instance.ts'
import { charged, chargeOf, chargesOf, goldenFile, type ListedCharge } from '../../terraform/charges.ts'
import { readDisk } from '../../terraform/disks.ts'
import { databaseResources } from './databases.ts'
import { awsRegionOf } from './templates.ts'

const golden = (test: string, commit: string) => ({
  source: goldenFile(test, commit),
  regions: ['us-east-1'],
})
const month = (perHourUsd: number): number => perHourUsd * 730

const natGateway: ListedCharge = {
  name: 'a NAT gateway',
  pricePerMonthUsd: month(0.045),
  ...golden('nat_gateway_test', '153fa9d'),
}
const balancers: Readonly<Record<string, ListedCharge>> = {
  application: {
    name: 'an application load balancer',
    pricePerMonthUsd: month(0.0225),
    ...golden('lb_test', '0a8a5aa'),
  },
  network: {
    name: 'a network load balancer',
    pricePerMonthUsd: month(0.0225),
    ...golden('lb_test', '0a8a5aa'),
  },
  classic: {
    name: 'a classic load balancer',
    pricePerMonthUsd: month(0.025),
    ...golden('elb_test', '03ed891'),
  },
}
const address: ListedCharge = {
  name: 'a public IPv4 address',
  pricePerMonthUsd: month(0.005),
  // AWS charges it in all regions.
  source: 'techpartner.news/news/aws-to-charge-for-ipv4-addresses-598672, since 2024-02-01',
}
const controlPlane: ListedCharge = {
  name: 'the control plane of an EKS cluster',
  pricePerMonthUsd: month(0.1),
  ...golden('eks_cluster_test', '027bec3'),
  regions: ['us-east-1', 'us-east-2'],
}
const endpoint: ListedCharge = {
  name: 'an interface endpoint in one subnet',
  pricePerMonthUsd: month(0.01),
  ...golden('vpc_endpoint_test', '0a8a5aa'),
}
const key: ListedCharge = { name: 'a key', pricePerMonthUsd: 1, ...golden('kms_key_test', '728ec2c') }
const secret: ListedCharge = {
  name: 'a secret',
  pricePerMonthUsd: 0.4,
  ...golden('secretsmanager_secret_test', '01c59b1'),
}
const hostedZone: ListedCharge = {
  name: 'a hosted zone',
  pricePerMonthUsd: 0.5,
  // Route 53 has no regions.
  source: goldenFile('route53_zone_test', '69c3645'),
}

export const volumeAttributes = {
  size: 'size',
  type: 'type',
  iops: 'iops',
  throughput: 'throughput',
} as const

/** What is charged for beside machines. Traffic, requests and capacity units are not included. */
export const awsCharges: readonly PlanResource[] = [
  charged(
    'aws_ebs_volume',
    'EBS volume',
    ['size', 'type', 'iops', 'throughput', ...place('availability_zone')],
    volume,
  ),
  charged('aws_nat_gateway', 'NAT gateway without traffic', place(), (values) => one(values, natGateway)),
  charged('aws_eip', 'public IPv4 address', place(), (values) => one(values, address)),
  ...['aws_lb', 'aws_alb'].map((type) =>
    charged(type, 'load balancer without capacity units', ['load_balancer_type', ...place()], balancer),
  ),
  charged('aws_elb', 'classic load balancer without traffic', place(), (values) =>
    one(values, balancers.classic!),
  ),
  charged('aws_eks_cluster', 'control plane with standard support', place(), (values) =>
    one(values, controlPlane),
  ),
  charged(
    'aws_vpc_endpoint',
    'endpoint without traffic; gateways are free',
    ['vpc_endpoint_type', 'subnet_ids', ...place()],
    endpoints,
  ),
  charged('aws_kms_key', 'key without requests', place(), (values) => one(values, key)),
  charged('aws_secretsmanager_secret', 'secret without requests', place(), (values) => one(values, secret)),
  charged('aws_route53_zone', 'hosted zone without queries', place(), (values) => one(values, hostedZone)),
  ...databaseResources,
]

function place(...more: string[]): string[] {
  return ['region', 'arn', ...more]
}

const one = (values: PlanValues, charge: ListedCharge): PlanReading =>
  chargeOf('aws', awsRegionOf(values, ''), charge)

function volume(values: PlanValues): PlanReading {
  const zone = values.text('availability_zone')
  // Documentation of aws_ebs_volume: "Defaults to gp2".
  return readDisk(
    values,
    { provider: 'aws', region: awsRegionOf(values, zone), zone },
    volumeAttributes,
    'gp2',
  )
}

function balancer(values: PlanValues): PlanReading {
  const kind = values.text('load_balancer_type') || 'application'
  const charge = kind === 'classic' ? undefined : balancers[kind]
  return charge === undefined
    ? { unpriced: `there is no price of a load balancer of the type ${kind}` }
    : one(values, charge)
}

function endpoints(values: PlanValues): PlanReading {
  // Documentation of aws_vpc_endpoint: "Defaults to Gateway".
  if ((values.text('vpc_endpoint_type') || 'Gateway') === 'Gateway') return { free: true }
  const count = values.length('subnet_ids')
  if (count === 0) return { unpriced: 'subnet_ids are not known' }
  return chargesOf('aws', awsRegionOf(values, ''), [{ charge: endpoint, count }])
}
