import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answer, service } from '../api/client.ts'
import type { KeyRecord } from '../api/session.ts'
import { useMachineMetadata } from '../machines/queries.ts'
import { useNamespaceCosts } from '../overview/queries.ts'
import { addressOf, usePlace } from '../state/router.ts'
import { barParams, usePeriod } from '../usage/period.ts'
import { mayOpen, pages } from './pages.ts'

export interface Found {
  readonly kind: 'Page' | 'Namespace' | 'Machine' | 'Instance type'
  readonly name: string
  readonly note?: string
  readonly address: string
}

const mostOfKind = 6
const maxTypes = 8
const leastForTypes = 2

/**
 * Returns what matches the text, pages first. Namespaces and machines are those of the period. The list follows every
 * keystroke, so that Enter never selects a result of an earlier text. Instance types are requested when the text has
 * not changed for a moment.
 */
export function useFound(
  text: string,
  settledText: string,
  record: KeyRecord,
): { found: Found[]; isLoading: boolean } {
  const { params } = usePlace()
  const kept = useMemo(() => barParams(params), [params])
  const reads = record.scopes.includes('gateway:read')
  const namespaces = useNamespaceCosts(usePeriod(), undefined, reads)
  const machines = useMachineMetadata(reads)
  const [wanted, asked] = [text, settledText].map((one) => one.trim().toLowerCase()) as [string, string]
  const types = useQuery({
    queryKey: ['types', asked, maxTypes],
    queryFn: ({ signal }) =>
      answer(service.GET('/catalogue/types', { params: { query: { q: asked, limit: maxTypes } }, signal })),
    enabled: asked.length >= leastForTypes && record.scopes.includes('pricing:read'),
  })
  const found = useMemo(() => {
    const all: Found[] = [
      ...pages
        .filter((page) => mayOpen(page, record.scopes))
        .map(({ title, path, group, bar }) => ({
          kind: 'Page' as const,
          name: title,
          ...(group === undefined ? {} : { note: group }),
          address: addressOf(path.split('/'), bar === undefined ? undefined : kept),
        })),
      ...distinct(namespaces.data ?? []).map(({ cluster, namespace }) => ({
        kind: 'Namespace' as const,
        name: namespace,
        note: cluster,
        address: addressOf(['workloads', cluster, namespace], kept),
      })),
      ...(machines.rows ?? []).map(({ name, instanceType }) => ({
        kind: 'Machine' as const,
        name,
        ...(instanceType === '' ? {} : { note: instanceType }),
        address: addressOf(['machines', name], kept),
      })),
    ]
    return [...bestOf(all, wanted), ...(asked === wanted ? typesOf(types.data ?? []) : [])]
  }, [wanted, asked, namespaces.data, machines.rows, types.data, record, kept])
  return { found, isLoading: asked !== wanted || types.isFetching || namespaces.isFetching }
}

/** Returns names that contain the text, those that begin with it first, and a few of each kind. */
export function bestOf(all: readonly Found[], wanted: string): Found[] {
  const matching = all.filter(({ name }) => name.toLowerCase().includes(wanted))
  const rank = ({ name }: Found) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return [...Map.groupBy(matching, ({ kind }) => kind).values()].flatMap((of) =>
    of
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, wanted === '' && of[0]!.kind === 'Page' ? 20 : mostOfKind),
  )
}

function typesOf(
  types: readonly { provider_key: string; provider: string; instance_type: string }[],
): Found[] {
  return types.map(({ provider_key, provider, instance_type: name }) => ({
    kind: 'Instance type',
    name,
    note: provider,
    address: addressOf(['prices', 'compare'], new URLSearchParams({ provider: provider_key, type: name })),
  }))
}

function distinct(rows: readonly { cluster?: string; namespace?: string }[]) {
  const seen = new Map(
    rows.map(({ cluster = '', namespace = '' }) => [`${cluster}\n${namespace}`, { cluster, namespace }]),
  )
  return [...seen.values()]
}
