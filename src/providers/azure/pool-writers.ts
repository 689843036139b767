import type { PoolWriter } from '../../domain/provider.ts'
import { shellWord } from '../../domain/shell-word.ts'

/** The resource group of a cluster is not known. */
export const writeAz: PoolWriter = (cluster, pools) =>
  pools
    .map(
      ({ name, instanceType, count, isSpot }) =>
        `az aks nodepool add --resource-group RESOURCE_GROUP --cluster-name ${shellWord(cluster)} --name ${name} --node-vm-size ${shellWord(instanceType)} --node-count ${count}${isSpot ? ' --priority Spot --eviction-policy Delete --spot-max-price -1' : ''}\n`,
    )
    .join('')
