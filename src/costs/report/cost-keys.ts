import { compareUtf8 } from '../../domain/text.ts'
import { labelAttribute, readEntities } from '../../usage/digest/entities.ts'
import { groupKinds } from '../allocation/grouping.ts'
import type { CostsDeps } from './report-costs.ts'
import type { CostKeys } from './schema.ts'

/** More values than that are not chosen from a list. */
const maxValues = 200

export async function listCostKeys(
  { store, labels }: Pick<CostsDeps, 'labels'> & { readonly store: Pick<CostsDeps['store'], 'usage'> },
  organisation: string,
): Promise<CostKeys> {
  const kinds = ['workload', 'namespace'] as const
  const entities = labels.length === 0 ? [] : await readEntities(store.usage, organisation, { kinds })
  const valuesOf = new Map(labels.map((label) => [labelAttribute(label), new Map<string, number>()]))
  for (const [, { attributes }] of entities)
    for (const [attribute, values] of valuesOf) {
      const value = attributes.get(attribute)?.value
      if (typeof value === 'string') values.set(value, (values.get(value) ?? 0) + 1)
    }
  return {
    kinds: [...groupKinds],
    labels: labels.map((name) => {
      const values = [...valuesOf.get(labelAttribute(name))!]
        .sort(([a, one], [b, other]) => other - one || compareUtf8(a, b))
        .map(([value, count]) => ({ value, count }))
      return { name, values: values.slice(0, maxValues), left_out: Math.max(0, values.length - maxValues) }
    }),
  }
}
