import { labelTexts, taintText } from '../../domain/node-placement.ts'
import { defaultReserve } from '../../domain/node-reserve.ts'
import type { KubernetesNodes, PoolWriter } from '../../domain/provider.ts'
import { shellWord } from '../../domain/text.ts'

/** A cluster of a region has its nodes in three zones by default; what is more than planned the autoscaler removes. */
const writeGcloud: PoolWriter = (cluster, pools) =>
  pools
    .map(({ name, instanceType, region, zone, fewest, count, isSpot, isWindows, gpus, placement }) => {
      const zones = zone === undefined ? zonesOfRegion : 1
      const isScaled = fewest < count || count % zones > 0
      const labels = labelTexts(placement)
      const taints = placement.taints.filter(({ key }) => key !== gpuTaint).map(taintText)
      const words = [
        `gcloud container node-pools create ${name} --cluster ${shellWord(cluster)} --region ${shellWord(region)}`,
        `--machine-type ${shellWord(instanceType)} --num-nodes ${Math.ceil(count / zones)}`,
        ...(zone === undefined ? [] : [`--node-locations ${shellWord(zone)}`]),
        ...(isScaled ? [`--enable-autoscaling --total-min-nodes ${fewest} --total-max-nodes ${count}`] : []),
        ...(gpus > 0 ? [`--accelerator type=${acceleratorOf(instanceType)},count=${gpus}`] : []),
        ...(isWindows ? ['--image-type WINDOWS_LTSC_CONTAINERD'] : []),
        ...(isSpot ? ['--spot'] : []),
        ...(labels.length === 0 ? [] : [`--node-labels ${shellWord(labels.join(','))}`]),
        ...(taints.length === 0 ? [] : [`--node-taints ${shellWord(taints.join(','))}`]),
      ]
      const remark =
        zones > 1
          ? `# --num-nodes counts for each of ${zones} zones; ${count} in all. A cluster of one zone: --zone instead of --region.\n`
          : ''
      return `${remark}${words.join(' ')}\n`
    })
    .join('')

const zonesOfRegion = 3

/** Google Kubernetes Engine adds it to nodes with GPUs. */
const gpuTaint = 'nvidia.com/gpu'

/** cloud.google.com/kubernetes-engine/docs/how-to/gpus */
const accelerators: readonly (readonly [RegExp, string])[] = [
  [/^g2-/, 'nvidia-l4'],
  [/^g4-/, 'nvidia-rtx-pro-6000'],
  [/^a2-ultragpu/, 'nvidia-a100-80gb'],
  [/^a2-/, 'nvidia-tesla-a100'],
  [/^a3-ultragpu/, 'nvidia-h200-141gb'],
  [/^a3-megagpu/, 'nvidia-h100-mega-80gb'],
  [/^a3-/, 'nvidia-h100-80gb'],
  [/^a4-/, 'nvidia-b200'],
]

const acceleratorOf = (instanceType: string): string =>
  accelerators.find(([types]) => types.test(instanceType))?.[1] ?? 'ACCELERATOR'

/** Its published shares are those that are also used where nothing is published. */
export const gkeNodes: KubernetesNodes = {
  service: 'Google Kubernetes Engine',
  spotTaint: { key: 'cloud.google.com/gke-spot', value: 'true', effect: 'NoSchedule' },
  poolWriters: { gcloud: writeGcloud },
  reserve: defaultReserve,
}
