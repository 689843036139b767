import { taintText } from '../../domain/node-placement.ts'
import { defaultReserve } from '../../domain/node-reserve.ts'
import type { KubernetesNodes, PoolWriter } from '../../domain/provider.ts'
import { shellWord } from '../../domain/text.ts'

const zonesOfRegion = 3

/** A cluster of a region has its nodes in three zones by default; what is more than planned the autoscaler removes. */
const writeGcloud: PoolWriter = (cluster, pools) =>
  pools
    .map(({ name, instanceType, region, zone, fewest, count, isSpot, placement }) => {
      const zones = zone === undefined ? zonesOfRegion : 1
      const isScaled = fewest < count || count % zones > 0
      const labels = Object.entries(placement.labels).map((entry) => entry.join('='))
      const taints = placement.taints.map(taintText)
      const words = [
        `gcloud container node-pools create ${name} --cluster ${shellWord(cluster)} --region ${shellWord(region)}`,
        `--machine-type ${shellWord(instanceType)} --num-nodes ${Math.ceil(count / zones)}`,
        ...(zone === undefined ? [] : [`--node-locations ${shellWord(zone)}`]),
        ...(isScaled ? [`--enable-autoscaling --total-min-nodes ${fewest} --total-max-nodes ${count}`] : []),
        ...(isSpot ? ['--spot'] : []),
        ...(labels.length === 0 ? [] : [`--node-labels ${shellWord(labels.join(','))}`]),
        ...(taints.length === 0 ? [] : [`--node-taints ${shellWord(taints.join(','))}`]),
      ]
      const remark = zones > 1 ? `# --num-nodes counts for each of ${zones} zones; ${count} in all.\n` : ''
      return `${remark}${words.join(' ')}\n`
    })
    .join('')

/** Its published shares are those that are also used where nothing is published. */
export const gkeNodes: KubernetesNodes = {
  service: 'Google Kubernetes Engine',
  poolWriters: { gcloud: writeGcloud },
  reserve: defaultReserve,
}
