import type { PoolWriter } from '../../domain/provider.ts'

const text = (value: string): string => JSON.stringify(value)

/** A pool for each payment: Karpenter chooses among the types of the plan, up to the size of the plan. */
export const writeKarpenter: PoolWriter = (_cluster, pools) =>
  [...Map.groupBy(pools, ({ isSpot, architecture }) => `${isSpot ? 'spot' : 'on-demand'} ${architecture}`)]
    .map(([key, members]) => {
      const [capacityType = '', architecture = ''] = key.split(' ')
      const sum = (of: (pool: (typeof members)[number]) => number) =>
        Math.ceil(members.reduce((total, pool) => total + pool.count * of(pool), 0))
      const types = members.map(({ instanceType }) => text(instanceType)).join(', ')
      return `---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: ${text(`planned-${capacityType}${architecture === 'arm64' ? '-arm64' : ''}`)}
spec:
  limits:
    cpu: "${sum(({ cores }) => cores)}"
    memory: ${sum(({ gib }) => gib)}Gi
  disruption:
    consolidationPolicy: WhenEmptyOrUnderutilized
    consolidateAfter: 5m
    budgets:
      - nodes: "10%"
  template:
    spec:
      expireAfter: 720h
      nodeClassRef:
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
`
    })
    .join('')

export const writeEksctl: PoolWriter = (cluster, pools) => `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: ${text(cluster)}
  region: ${text(pools[0]?.region ?? '')}
managedNodeGroups:
${pools
  .map(
    ({ name, instanceType, count, isSpot }) => `  - name: ${text(name)}
    ${isSpot ? `instanceTypes: [${text(instanceType)}]\n    spot: true` : `instanceType: ${text(instanceType)}`}
    minSize: ${count}
    maxSize: ${2 * count}
    desiredCapacity: ${count}
`,
  )
  .join('')}`
