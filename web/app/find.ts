import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answer, service } from '../api/client.ts'
import type { KeyRecord } from '../api/session.ts'
import { useMachineMetadata } from '../machines/queries.ts'
import { useContainerNames } from '../overview/queries.ts'
import { glossary } from '../parts/glossary.ts'
import { addressOf, usePlace } from '../state/router.ts'
import { barParams, usePeriod } from '../usage/period.ts'
import { useSources } from '../usage/sources.ts'
import { mayOpen, pages } from './pages.ts'

export interface Found {
  readonly kind:
    | 'Page'
    | 'Setting'
    | 'Cluster'
    | 'Namespace'
    | 'Workload'
    | 'Container'
    | 'Machine'
    | 'Volume'
    | 'Instance type'
    | 'Help'
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
  const containers = useContainerNames(usePeriod(), reads)
  const sources = useSources(false, reads)
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
      ...settings
        .filter(({ scope }) => record.scopes.includes(scope))
        .map(({ name, anchor }) => ({
          kind: 'Setting' as const,
          name,
          address: `${addressOf(['settings'])}#${anchor}`,
        })),
      ...helpItems,
      ...(sources.data ?? [])
        .filter(({ kind }) => kind === 'cluster')
        .map(({ name }) => ({
          kind: 'Cluster' as const,
          name,
          address: addressOf(['workloads', name], kept),
        })),
      ...namesOf(containers.data ?? [], kept),
      ...(machines.rows ?? []).map(({ name, instanceType }) => ({
        kind: 'Machine' as const,
        name,
        ...(instanceType === '' ? {} : { note: instanceType }),
        address: addressOf(['machines', name], kept),
      })),
    ]
    return [...bestOf(all, wanted), ...(asked === wanted ? typesOf(types.data ?? []) : [])]
  }, [wanted, asked, containers.data, sources.data, machines.rows, types.data, record, kept])
  return { found, isLoading: asked !== wanted || types.isFetching || containers.isFetching }
}

/** Returns names that contain the text, those that begin with it first, and a few of each kind. */
export function bestOf(all: readonly Found[], wanted: string): Found[] {
  const matching = all.filter(
    ({ kind, name }) => name.toLowerCase().includes(wanted) && (wanted !== '' || kind !== 'Help'),
  )
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

type ContainerName = NonNullable<ReturnType<typeof useContainerNames>['data']>[number]

/** Returns each namespace, workload and container once. */
function namesOf(rows: readonly ContainerName[], kept: URLSearchParams): Found[] {
  const found = new Map<string, Found>()
  const add = (each: Found) => found.set(each.address, each)
  for (const { cluster = '', namespace, workload, container } of rows) {
    const volume = /^PersistentVolume(?:Claim)?\/(.*)/s.exec(workload ?? '')?.[1]
    if (volume !== undefined) {
      const address = addressOf(['volumes'], withParam(kept, 'volumes.q', volume))
      add({
        kind: 'Volume',
        name: volume,
        note: namespace === undefined ? cluster : `${namespace}, ${cluster}`,
        address,
      })
    }
    if (namespace === undefined) continue
    add({
      kind: 'Namespace',
      name: namespace,
      note: cluster,
      address: addressOf(['workloads', cluster, namespace], kept),
    })
    if (workload == null || container == null) continue
    const path = ['workloads', cluster, namespace]
    const note = `${namespace}, ${cluster}`
    const id = `${workload}/${container}`
    add({
      kind: 'Workload',
      name: workload,
      note,
      address: addressOf(path, withParam(kept, 'container', id)),
    })
    const address = addressOf([...path, ...workload.split('/'), container], kept)
    add({ kind: 'Container', name: container, note: `${workload}, ${note}`, address })
  }
  return [...found.values()]
}

function withParam(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(params)
  changed.set(name, value)
  return changed
}

const guides = [
  'Send usage of a cluster',
  'Measure machines',
  'Find a cheaper machine',
  'Review a plan before it is applied',
]

/** Guides, terms of the glossary, and the reference of the API. */
const helpItems: readonly Found[] = [
  ...guides.map((name) => ({
    kind: 'Help' as const,
    name,
    note: 'guide',
    address: `${addressOf(['help'])}?guide=${encodeURIComponent(name)}#guides-title`,
  })),
  ...[...glossary.keys()].map((term) => ({
    kind: 'Help' as const,
    name: term,
    note: 'glossary',
    address: addressOf(['help'], new URLSearchParams({ term })),
  })),
]

const settings = [
  { name: 'Sizing profile and rules', anchor: 'profile-title', scope: 'gateway:read' },
  { name: 'Price rules, discounts', anchor: 'price-rules-title', scope: 'pricing:read' },
  {
    name: 'Commitments, savings plans, reserved instances',
    anchor: 'commitments-title',
    scope: 'pricing:read',
  },
  { name: 'Sharing of idle and shared costs', anchor: 'sharing-title', scope: 'gateway:read' },
  { name: 'Currency, age of prices', anchor: 'prices-title', scope: 'pricing:read' },
  { name: 'Clusters and agents', anchor: 'sources-title', scope: 'gateway:read' },
  { name: 'Retention, labels of costs', anchor: 'service-title', scope: 'pricing:read' },
] as const
