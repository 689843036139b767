import { labelTexts, taintText } from '../../domain/node-placement.ts'
import { evictionGib } from '../../domain/node-reserve.ts'
import type { KubernetesNodes, PoolWriter, WrittenPool } from '../../domain/provider.ts'
import { shellWord } from '../../domain/text.ts'

/** The resource group of a cluster is not known. */
const writeAz: PoolWriter = (cluster, pools) =>
  pools
    .map((pool) => {
      const { instanceType, zone, fewest, count, isSpot, isWindows, placement } = pool
      const labels = labelTexts(placement)
      const own = placement.taints.filter(({ key }) => key !== spotTaint.key)
      const taints = own.map((taint) => taintText({ ...taint, value: taint.value || 'true' }))
      // Nodes in the first zone of eastus have the label eastus-1; where there are no zones, it is 0.
      const [, zoneNumber] = /-([1-9])$/.exec(zone ?? '') ?? []
      const words = [
        `az aks nodepool add --resource-group RESOURCE_GROUP --cluster-name ${shellWord(cluster)} --name ${nameOf(pool)}`,
        `--node-vm-size ${shellWord(instanceType)} --node-count ${count}`,
        ...(zoneNumber === undefined ? [] : [`--zones ${zoneNumber}`]),
        ...(isWindows ? ['--os-type Windows'] : []),
        ...(fewest < count ? [`--enable-cluster-autoscaler --min-count ${fewest} --max-count ${count}`] : []),
        ...(isSpot ? ['--priority Spot --eviction-policy Delete --spot-max-price -1'] : []),
        ...(labels.length === 0 ? [] : [`--labels ${labels.map(shellWord).join(' ')}`]),
        ...(taints.length === 0 ? [] : [`--node-taints ${shellWord(taints.join(','))}`]),
      ]
      const remarks = [
        ...(isSpot ? [`# AKS taints spot nodes: their pods must tolerate ${taintText(spotTaint)}.\n`] : []),
        ...(own.some(({ value }) => value === '')
          ? [
              '# az takes no taint without a value: "true" stands for none; tolerations with operator Exists match it.\n',
            ]
          : []),
      ]
      return `${remarks.join('')}${words.join(' ')}\n`
    })
    .join('')

/** At most 12 lower-case letters and digits, or 6 for Windows. */
function nameOf({ name, number, isWindows }: WrittenPool): string {
  const letters = name.slice(0, -`${number}`.length).replaceAll('-', '')
  return `${letters.slice(0, (isWindows ? 6 : 12) - `${number}`.length)}${number}`
}

const spotTaint = { key: 'kubernetes.azure.com/scalesetpriority', value: 'spot', effect: 'NoSchedule' }

/** Bytes are decimal: 20 MB for each pod and 50 MB. */
const [megabytesPerPod, megabytes] = [20, 50]
const gibPerMegabyte = 1e6 / 2 ** 30
const maxMemoryShare = 0.25

/**
 * Reserved cores by cores; between two sizes in proportion, and 0.01 for each core above the largest.
 * Memory is that of version 1.29 and later. learn.microsoft.com/azure/aks/node-resource-reservations
 */
const coresReserved: readonly (readonly [cores: number, reserved: number])[] = [
  [1, 0.06],
  [2, 0.1],
  [4, 0.14],
  [8, 0.18],
  [16, 0.26],
  [32, 0.42],
  [64, 0.74],
]

export const aksNodes: KubernetesNodes = {
  service: 'Azure Kubernetes Service',
  spotTaint,
  poolWriters: { az: writeAz },
  reserve: ({ cores, gib, pods }) => ({
    cores: reservedOf(cores),
    gib: Math.min((megabytesPerPod * pods + megabytes) * gibPerMegabyte, maxMemoryShare * gib) + evictionGib,
  }),
}

function reservedOf(cores: number): number {
  let [fromCores, from] = [0, 0]
  for (const [upTo, reserved] of coresReserved) {
    if (cores <= upTo) return from + ((reserved - from) * (cores - fromCores)) / (upTo - fromCores)
    ;[fromCores, from] = [upTo, reserved]
  }
  return from + 0.01 * (cores - fromCores)
}
