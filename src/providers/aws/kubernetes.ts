import { placementKey } from '../../domain/node-placement.ts'
import { evictionGib, reservedCores } from '../../domain/node-reserve.ts'
import type { KubernetesNodes, PoolWriter } from '../../domain/provider.ts'

/** A node more than planned, at least: a node is started before the one that it replaces is removed. */
const karpenterHeadroom = 1.5

/** A pool for each payment: Karpenter chooses among the types of the plan, up to its size and some headroom. */
const writeKarpenter: PoolWriter = (_cluster, pools) =>
  [
    ...Map.groupBy(pools, ({ isSpot, architecture, placement }) =>
      JSON.stringify([isSpot, architecture, placementKey(placement)]),
    ).values(),
  ]
    .map((members, index, { length }) => {
      const { isSpot, isWindows, architecture, placement } = members[0]!
      const capacityType = isSpot ? 'spot' : 'on-demand'
      const number = placementKey(placement) === '' || length === 1 ? '' : `-${index + 1}`
      const zones = [...new Set(members.flatMap(({ zone = [] }) => zone))]
      const { taints } = placement
      const labels = Object.entries(placement.labels).map(
        ([label, value]) => `${text(label)}: ${text(value)}`,
      )
      const limit = (of: (pool: (typeof members)[number]) => number) => {
        const planned = members.reduce((total, pool) => total + pool.count * of(pool), 0)
        return Math.ceil(Math.max(planned * karpenterHeadroom, planned + Math.max(...members.map(of))))
      }
      const types = [...new Set(members.map(({ instanceType }) => text(instanceType)))].join(', ')
      return `---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: ${text(`planned-${capacityType}${architecture === 'arm64' ? '-arm64' : ''}${number}`)}
spec:
  # The nodes of the plan and half as much again, at least one node: Karpenter starts a node before it removes the one that
  # it replaces (expiry, drift, consolidation), and a peak needs more nodes. Raise the limits if more growth is expected,
  # because pods stay pending once they are reached; lower them to cap the cost.
  limits:
    cpu: "${limit(({ cores }) => cores)}"
    memory: ${limit(({ gib }) => gib)}Gi
  disruption:
    consolidationPolicy: WhenEmptyOrUnderutilized
    consolidateAfter: 5m
    budgets:
      - nodes: "10%"
  template:
${labels.length === 0 ? '' : `    metadata:\n      labels: {${labels.join(', ')}}\n`}    spec:
      expireAfter: 720h
${taints.length === 0 ? '' : `      taints:\n${taints.map((taint) => `        - ${JSON.stringify(taint)}\n`).join('')}`}      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: default
      requirements:
        - key: node.kubernetes.io/instance-type
          operator: In
          values: [${types}]
        - key: karpenter.sh/capacity-type
          operator: In
          values: [${capacityType}]
        - key: kubernetes.io/arch
          operator: In
          values: [${architecture === 'arm64' ? 'arm64' : 'amd64'}]
        - key: kubernetes.io/os
          operator: In
          values: [${isWindows ? 'windows' : 'linux'}]
${zones.length === 0 ? '' : `        - key: topology.kubernetes.io/zone\n          operator: In\n          values: [${zones.map(text).join(', ')}]\n`}`
    })
    .join('')

const writeEksctl: PoolWriter = (cluster, pools) => `---
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: ${text(cluster)}
  region: ${text(pools[0]?.region ?? '')}
managedNodeGroups:
${pools
  .map(
    ({
      name,
      instanceType,
      zone,
      fewest,
      count,
      isSpot,
      isWindows,
      placement: { taints, labels },
    }) => `  - name: ${text(name)}
    ${isSpot ? `instanceTypes: [${text(instanceType)}]\n    spot: true` : `instanceType: ${text(instanceType)}`}
${isWindows ? '    amiFamily: WindowsServer2022CoreContainer\n' : ''}    minSize: ${fewest}
    maxSize: ${2 * count}
    desiredCapacity: ${count}
${zone === undefined ? '' : `    availabilityZones: [${text(zone)}]\n`}${
  Object.keys(labels).length === 0 ? '' : `    labels: ${JSON.stringify(labels)}\n`
}${taints.length === 0 ? '' : `    taints: ${JSON.stringify(taints)}\n`}`,
  )
  .join('')}`

/** github.com/aws/karpenter-provider-aws, instancetype/types.go: 255 MiB and 11 MiB a pod; at most 110 pods, 250 from 30 vCPUs. */
export const eksNodes: KubernetesNodes = {
  service: 'Amazon EKS',
  poolWriters: { karpenter: writeKarpenter, eksctl: writeEksctl },
  podsOn(instanceType, vcpus) {
    const [family = '', size = ''] = instanceType.toLowerCase().split('.')
    const max = vcpus < largeVcpus ? maxPods : maxPodsOfLarge
    const pods = podsOfFamilies.get(family)?.[size] ?? podsOfSize[size]
    return pods === undefined ? max : Math.min(pods, max)
  },
  reserve: ({ cores, pods }) => ({
    cores: reservedCores(cores),
    gib: (255 + 11 * pods) / 1024 + evictionGib,
  }),
}

const largeVcpus = 30
const [maxPods, maxPodsOfLarge] = [110, 250]

/**
 * Interfaces x (IPv4 addresses of each - 1) + 2, of most families; the same repository, 2026-08-21 (Apache-2.0). Sizes that
 * are missing have at least the limits above.
 */
const podsOfSize: Readonly<Record<string, number>> = {
  nano: 4,
  micro: 4,
  small: 11,
  medium: 8,
  large: 29,
  xlarge: 58,
  '2xlarge': 58,
  '8xlarge': 234,
  '9xlarge': 234,
  '10xlarge': 234,
  '12xlarge': 234,
  '56xlarge': 234,
}

const podsOfFamilies = new Map(
  (
    [
      ['t3 t4g', { medium: 17, large: 35 }],
      ['t3a', { small: 8, medium: 17, large: 35 }],
      ['t2', { medium: 17, large: 35, xlarge: 44, '2xlarge': 44 }],
      ['c1', { medium: 12 }],
      ['m1', { small: 8, medium: 12 }],
      ['m2', { '2xlarge': 118 }],
      ['m3', { medium: 12, '2xlarge': 118 }],
      ['m4', { large: 20, '16xlarge': 234 }],
      ['x1', { '16xlarge': 234, '32xlarge': 234 }],
      ['x1e', { xlarge: 29, '4xlarge': 58, '8xlarge': 58, '16xlarge': 234, '32xlarge': 234 }],
      ['a1', { metal: 234 }],
      ['i3en vt1 i7ie', { '3xlarge': 58 }],
      ['d3', { xlarge: 10, '2xlarge': 18, '4xlarge': 38, '8xlarge': 59 }],
      ['d3en', { xlarge: 10, '2xlarge': 18, '4xlarge': 38, '6xlarge': 58, '8xlarge': 78, '12xlarge': 89 }],
      ['g4ad', { xlarge: 8, '2xlarge': 8, '4xlarge': 29, '8xlarge': 58, '16xlarge': 234 }],
      ['g4dn', { xlarge: 29, '2xlarge': 29, '4xlarge': 29, '8xlarge': 58, '16xlarge': 58 }],
      ['g5', { '12xlarge': 737, '16xlarge': 234 }],
      ['g6f', { large: 20 }],
      ['p3', { '16xlarge': 234 }],
      ['inf1', { xlarge: 38, '2xlarge': 38 }],
      ['hpc7g', { '8xlarge': 198, '16xlarge': 198 }],
      ['m8azn', { medium: 11, large: 78, xlarge: 78 }],
      ['x8aedz', { large: 78, xlarge: 78 }],
      ['c8a m8a r8a', { large: 59, xlarge: 78, '2xlarge': 158, '8xlarge': 392 }],
      ['g7 g7e', { '2xlarge': 254, '8xlarge': 506 }],
      ['c9g c9gd m9g m9gd', { medium: 40, large: 59, xlarge: 118, '2xlarge': 118, '8xlarge': 492 }],
      [
        'c8i c8id c8i-flex m8i m8id m8i-flex r8i r8id r8i-flex x8i',
        { large: 59, xlarge: 118, '2xlarge': 118, '8xlarge': 492 },
      ],
      [
        'c8ib c8in c8ine m8ib m8idb m8idn m8in m8ine r8ib r8idb r8idn r8in',
        { large: 78, xlarge: 118, '2xlarge': 118, '8xlarge': 394 },
      ],
    ] as readonly (readonly [string, Readonly<Record<string, number>>])[]
  ).flatMap(([families, pods]) => families.split(' ').map((family) => [family, pods] as const)),
)

const text = (value: string): string => JSON.stringify(value)
