import type { FlexibleSize, Provider } from '../../domain/provider.ts'
import { lookUp, zoneIn } from '../declare-provider.ts'
import { eksNodes } from './kubernetes.ts'

export const awsProvider: Provider = {
  key: 'aws',
  displayName: 'AWS',
  service: 'AmazonEC2',
  aliases: ['amazon', 'amazon web services', 'amazonaws', 'amazon aws', 'aws ec2'],
  serviceAliases: ['ec2', 'amazon ec2', 'aws ec2', 'elastic compute cloud', 'amazon elastic compute cloud'],
  onByDefault: true,
  isZoneInRegion(zone, region) {
    const name = zone.toLowerCase()
    const place = region.toLowerCase()
    if (!name.startsWith(place)) return name.startsWith(`${zoneIdPrefix(place)}-`)
    // us-east-1a; us-west-2-lax-1a; us-east-1-wl1-bos-wlz-1
    return /^([a-z]|-[a-z].*)?$/.test(name.slice(place.length))
  },
  // usw2-lax1-az1, us-west-2-lax-1a, us-east-1-wl1-bos-wlz-1; not usw2-az1, us-west-2a
  isLocalZone: (zone) => /^[a-z0-9]+-[a-z]+\d+-az\d+$|^[a-z-]+-\d+-[a-z]/i.test(zone),
  // us-east-1a; not use1-az1, us-west-2-lax-1a. docs.aws.amazon.com/ram/latest/userguide/working-with-az-ids.html
  isZoneOfAccount: (zone) => /^[a-z]{2}(-[a-z]+)+-\d+[a-z]$/i.test(zone),
  // A burstable type is billed for a part of its cores, so it shares no core rate with others.
  familyOf(instanceType) {
    if (lookUp(baselines, instanceType) !== null) return ''
    return /^([a-z][a-z0-9-]*)\./.exec(instanceType.toLowerCase())?.[1] ?? ''
  },
  burstableBaselineOf: (instanceType) => lookUp(baselines, instanceType),
  kubernetes: eksNodes,
  commitments: { hasFamilyPlans: true, flexibleSizeOf, flexibleSystems: ['Linux'], coverLicences: true },
  // aws:///us-east-1a/i-0123456789abcdef0
  nodeOf: (providerId) => zoneIn(/^aws:\/\/\/?([a-z0-9-]*)\//, providerId),
}

/**
 * Normalisation factors: docs.aws.amazon.com/AWSEC2/latest/UserGuide/apply_ri.html. Reservations of some accelerated
 * families cover one size only.
 */
function flexibleSizeOf(instanceType: string): FlexibleSize | undefined {
  const [family = '', size = ''] = instanceType.toLowerCase().split('.')
  if (/^g(4ad|4dn|5|5g)$/.test(family)) return undefined
  const [, times = '1'] = /^(?:metal-)?(\d*)xl(?:arge)?$/.exec(size) ?? []
  const units =
    smallSizes[size] ??
    (size === 'metal' ? metalUnits(family) : /xl/.test(size) ? 8 * Number(times || 1) : undefined)
  return units === undefined ? undefined : { group: family, units }
}

const smallSizes: Record<string, number> = { nano: 0.25, micro: 0.5, small: 1, medium: 2, large: 4 }

/** A whole machine counts as the largest virtual size of its family. */
function metalUnits(family: string): number | undefined {
  const sizes: readonly (readonly [RegExp, number])[] = [
    [/^a1$/, 32],
    [/^(m5zn|z1d)$/, 96],
    [/^(i3|x2gd|[cmr]6gd?)$/, 128],
    [/^c5n$/, 144],
    [/^(c5d?|i3en|m5(d|n|dn)?|r5(b|d|n|dn)?)$/, 192],
    [/^u-/, 896],
  ]
  return sizes.find(([pattern]) => pattern.test(family))?.[1]
}

/** How zone ids of a region begin (use1-az1, usw2-lax1-az1): us-east-1 -> use1, ap-southeast-2 -> apse2, us-gov-west-1 -> usgw1. */
function zoneIdPrefix(region: string): string {
  const [area = '', ...rest] = region.split('-')
  const number = rest.pop() ?? ''
  return area + rest.map((word) => directions[word] ?? word[0] ?? '').join('') + number
}

const directions: Record<string, string> = {
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
}

/**
 * Baseline utilisation per vCPU = credits earned per hour / vCPUs / 60.
 * Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/burstable-credits-baseline-concepts.html
 */
const baselines: Record<string, number> = {
  't2.nano': 0.05,
  't2.micro': 0.1,
  't2.small': 0.2,
  't2.medium': 0.2,
  't2.large': 0.3,
  't2.xlarge': 0.225,
  't2.2xlarge': 0.17,
  ...Object.fromEntries(
    ['t3', 't3a', 't4g'].flatMap((family) => [
      [`${family}.nano`, 0.05],
      [`${family}.micro`, 0.1],
      [`${family}.small`, 0.2],
      [`${family}.medium`, 0.2],
      [`${family}.large`, 0.3],
      [`${family}.xlarge`, 0.4],
      [`${family}.2xlarge`, 0.4],
    ]),
  ),
}
