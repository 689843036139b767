import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import type { AdvicePage } from './schema.ts'

/** Clusters are counted and summed apart, because savings of containers are shares of the same nodes. */
export function totalsLines({ totals, facets }: Pick<AdvicePage, 'totals' | 'facets'>): string[] {
  const { count, worth_per_month: worth, nodes_per_month: nodes } = totals
  const clusters = nodes === 0 ? 0 : (facets.kind.find(({ value }) => value === 'cluster')?.count ?? 0)
  if (clusters === 0) return [`${plural(count, 'recommendation')}, ${dollars(worth)} a month.`]
  const all =
    clusters === count
      ? `${plural(count, 'recommendation')} for clusters, ${dollars(nodes)} a month.`
      : `${plural(count - clusters, 'recommendation')}, ${dollars(worth)} a month, and ${clusters} for clusters, ${dollars(nodes)} a month.`
  return [all, 'Clusters save with fewer or other nodes; savings by container sizes are part of that.']
}
