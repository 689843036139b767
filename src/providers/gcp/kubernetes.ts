import { usualReserve } from '../../domain/node-reserve.ts'
import type { KubernetesNodes, PoolWriter } from '../../domain/provider.ts'
import { shellWord } from '../../domain/text.ts'

const zonesOfRegion = 3

/** A cluster of a region has its nodes in three zones by default. */
const writeGcloud: PoolWriter = (cluster, pools) =>
  pools
    .map(
      ({ name, instanceType, region, fewest, count, isSpot }) =>
        `# --num-nodes counts for each zone: ${count} nodes are ${Math.ceil(count / zonesOfRegion)} in each of ${zonesOfRegion}.
gcloud container node-pools create ${name} --cluster ${shellWord(cluster)} --region ${shellWord(region)} --machine-type ${shellWord(instanceType)} --num-nodes ${Math.ceil(count / zonesOfRegion)}${fewest < count ? ` --enable-autoscaling --total-min-nodes ${fewest} --total-max-nodes ${count}` : ''}${isSpot ? ' --spot' : ''}\n`,
    )
    .join('')

/** Its published shares are those that are also used where nothing is published. */
export const gkeNodes: KubernetesNodes = {
  service: 'Google Kubernetes Engine',
  poolWriters: { gcloud: writeGcloud },
  reserve: usualReserve,
}
