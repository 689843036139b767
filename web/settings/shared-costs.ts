import { CostColumns } from '../../src/costs/allocation/cost-columns.ts'
import { nothingShared, shareCosts } from '../../src/costs/allocation/share-costs.ts'
import type { paths } from '../api/schema.ts'

type SharingView = paths['/v1/cost_sharing']['get']['responses'][200]['content']['application/json']
export type Sharing = Omit<SharingView, 'organisation' | 'set'>

type CostRow = Pick<
  paths['/v1/costs']['get']['responses'][200]['content']['application/json'][number],
  'cluster' | 'namespace' | 'cost_type' | 'cost_usd'
>

/** What a namespace costs without and with sharing; '' is what stays idle. */
export interface NamespaceCost {
  readonly cluster: string
  readonly namespace: string
  readonly beforeUsd: number
  readonly afterUsd: number
}

/** Divides the costs of a period as the service divides each of its steps. */
export function sharedCosts(
  rows: readonly CostRow[],
  sharing: Partial<Sharing> | undefined,
): NamespaceCost[] {
  const groups = Map.groupBy(rows, ({ cluster, namespace }) => JSON.stringify([cluster, namespace ?? '']))
  const before = [...groups.values()].map((of) => {
    const usd = (type: CostRow['cost_type']) =>
      of.filter(({ cost_type }) => cost_type === type).reduce((sum, { cost_usd }) => sum + cost_usd, 0)
    return {
      values: [of[0]!.cluster ?? '', of[0]!.namespace ?? ''] as const,
      usd: usd('usage') + usd('idle'),
      columns: columnsOf(usd('usage'), usd('idle')),
    }
  })
  const after: NamespaceCost[] = []
  shareCosts(
    { groups: () => before },
    {
      ...nothingShared,
      ...sharing,
      sharedNamespaces: sharing?.shared_namespaces ?? [],
    },
    { keys: ['cluster', 'namespace'], namespace: undefined },
    {
      addTo: ([cluster = '', namespace = ''], { cpuUsd, idleUsd, sharedUsd }) => {
        const beforeUsd = before.find(({ columns }) => columns.cpuUsd === cpuUsd)!.usd
        after.push({ cluster, namespace, beforeUsd, afterUsd: cpuUsd[0]! + idleUsd[0]! + sharedUsd[0]! })
      },
    },
  )
  return after
}

/** All of the usage in one column: how it is made up does not matter for sharing. */
function columnsOf(usageUsd: number, idleUsd: number): CostColumns {
  const columns = new CostColumns(1)
  columns.cpuUsd[0] = usageUsd
  columns.idleUsd[0] = idleUsd
  return columns
}
