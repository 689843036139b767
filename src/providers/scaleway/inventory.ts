import type { InventoryFormat, InventoryItem } from '../../domain/inventory.ts'
import { itemsWith, listAt, nodeIf, textAt } from '../inventory/json-path.ts'
import { scalewayRegionOf, scalewaySystemOf } from './provider.ts'

/** https://www.scaleway.com/en/developers/api/instances/#path-instances, as -o json prints it. */
export const scalewayInventory: InventoryFormat = {
  command: 'scw instance server list -o json',
  read: itemsWith('commercial_type', (one) => readServer(one)),
}

function readServer(server: unknown): InventoryItem {
  const known = { id: textAt(server, 'id'), name: textAt(server, 'name'), provider: 'scaleway' }
  // A server that is "stopped in place" keeps its machine and is charged for.
  if (textAt(server, 'state') === 'stopped') return { ...known, unclear: 'it is stopped' }
  const zone = textAt(server, 'zone')
  const instanceType = textAt(server, 'commercial_type')
  return {
    ...known,
    region: scalewayRegionOf(zone),
    zone,
    instanceType,
    operatingSystem: scalewaySystemOf(instanceType),
    usageType: 'ONDEMAND',
    ...nodeIf(listAt(server, 'tags').some((tag) => String(tag).startsWith('kapsule='))),
  }
}
