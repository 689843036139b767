import type { InventoryFormat, InventoryItem } from '../../domain/inventory.ts'
import { itemsWith, textAt } from '../inventory/json-path.ts'

/** https://docs.hetzner.cloud/reference/cloud#servers, as -o json prints it. A server costs the same while it is off. */
export const hetznerInventory: InventoryFormat = {
  command: 'hcloud server list -o json',
  read: itemsWith('server_type', (one) => readServer(one)),
}

const readServer = (server: unknown): InventoryItem => ({
  id: textAt(server, 'id'),
  name: textAt(server, 'name'),
  provider: 'hetzner',
  region: textAt(server, 'location', 'name') || textAt(server, 'datacenter', 'location', 'name'),
  zone: '',
  instanceType: textAt(server, 'server_type', 'name'),
  operatingSystem: 'Linux',
  usageType: 'ONDEMAND',
})
