import type { InventoryMachine } from '../../domain/inventory.ts'

/** No machine of another provider or region can be a node of a managed cluster. */
export const nodeIf = (isNode: boolean): Pick<InventoryMachine, 'replaceWithin'> =>
  isNode
    ? {
        replaceWithin: {
          scope: 'region',
          why: 'is a node of a managed cluster: compared within its provider and region only',
        },
      }
    : {}
