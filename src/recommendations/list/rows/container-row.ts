import type { PriceSummary } from '../../../costs/allocation/nodes.ts'
import { round, roundSum } from '../../../domain/money.ts'
import { cpuQuantity, memoryQuantity } from '../../../domain/quantity.ts'
import type { RecommendationGrade } from '../../../domain/recommendation.ts'
import { kindOfWorkload, type NamespaceRef, whyNotPatched } from '../../../domain/subject.ts'
import type { ContainerSizes } from '../../../usage/reading/pod-usage.ts'
import type { PricedContainer } from '../../containers/namespace-draft.ts'
import type { Recommendation, SubjectSize } from '../schema.ts'
import { containerFindings, containerRisk } from './container-risk.ts'
import { noSize, recommendationId } from './recommendation-row.ts'

/** A container's recommendation without the members that are known only when the whole namespace is sized. */
export type ContainerDraft = Omit<Recommendation, 'worth_per_month' | 'cost_per_month' | PriceMember>
type PriceMember = 'price_sources' | 'price_date'

export const containerRecommendationId = ({ cluster, namespace }: NamespaceRef, key: string): string =>
  recommendationId('container', cluster, namespace, key)

export function containerDraft(
  namespace: NamespaceRef,
  container: PricedContainer,
): ContainerDraft | undefined {
  const { requests, current, recommended, workload, name } = container
  if (requests.cpu === undefined && requests.memory === undefined) return undefined
  return {
    id: containerRecommendationId(namespace, container.key),
    kind: 'container',
    title: `Resize ${name} of ${workload}: ${changeText(container)}`,
    cluster: namespace.cluster,
    namespace: namespace.namespace,
    workload,
    container: name,
    init: container.init,
    ...(container.managedBy === undefined ? {} : { managed_by: container.managedBy }),
    machine: null,
    risk: containerRisk(container),
    effort: containerEffort(workload),
    confidence: round(container.confidence, 3),
    replicas: container.replicas.atEnd,
    current: containerSize(current),
    recommended: containerSize(recommended),
    idle_days: null,
    findings: containerFindings(container),
    reasons: [...container.reasons, ...patchReason(workload)],
    is_estimate: (container.currentSpend.estimatedUsd ?? 0) > 0,
  }
}

export function finishRow(
  draft: ContainerDraft,
  perMonth: { readonly worth: number; readonly cost: number },
  prices: PriceSummary,
): Recommendation {
  return {
    ...draft,
    worth_per_month: roundSum(perMonth.worth),
    cost_per_month: roundSum(perMonth.cost),
    ...pricesOf(prices),
  }
}

export function pricesOf({ sources }: PriceSummary): Pick<Recommendation, PriceMember> {
  const days = sources.flatMap(({ day }) => day ?? []).sort()
  return { price_sources: [...new Set(sources.map(({ source }) => source))], price_date: days[0] ?? null }
}

export const containerSize = (sizes: ContainerSizes): SubjectSize => ({
  ...noSize,
  cpu_cores: amount(sizes.cpuRequest),
  cpu_limit_cores: amount(sizes.cpuLimit),
  memory_gib: amount(sizes.memoryRequest),
  memory_limit_gib: amount(sizes.memoryLimit),
})

const amount = (value: number | undefined): number | null => (value === undefined ? null : round(value, 6))

function changeText({ requests, current }: PricedContainer): string {
  const part = (
    what: string,
    from: number | undefined,
    to: number | undefined,
    text: (size: number) => string,
  ) => (to === undefined ? [] : [`${what}${from === undefined ? '' : ` from ${text(from)}`} to ${text(to)}`])
  return [
    ...part('CPU', current.cpuRequest, requests.cpu, cpuQuantity),
    ...part('memory', current.memoryRequest, requests.memory, memoryQuantity),
  ].join(', ')
}

export const figure = (value: number): string => String(Number(value.toPrecision(3)))

/**
 * A stateful workload is restarted one replica at a time and may have to fail over. What no patch can change must be
 * changed where it is created.
 */
export function containerEffort(workload: string): RecommendationGrade {
  const kind = kindOfWorkload(workload)
  return kind === 'StatefulSet' || whyNotPatched(kind) !== undefined ? 'medium' : 'low'
}

function patchReason(workload: string): string[] {
  const why = whyNotPatched(kindOfWorkload(workload))
  return why === undefined ? [] : [`There is no patch for it: ${why}.`]
}
