import type { PriceSummary } from '../../../costs/allocation/nodes.ts'
import { usdOf } from '../../../costs/allocation/spend.ts'
import type { HardQuota, NamespaceTotals } from '../../../costs/allocation/totals.ts'
import { hoursPerMonth, round, roundSum } from '../../../domain/money.ts'
import { kindOfWorkload, type NamespaceRef, nameOfWorkload } from '../../../domain/subject.ts'
import { plural } from '../../../domain/text.ts'
import { gibBytes, microcores } from '../../../usage/digest/digest.ts'
import type { Distribution } from '../../../usage/distribution/distribution.ts'
import type { ContainerSizes } from '../../../usage/reading/pod-usage.ts'
import type { PricedContainer } from '../namespace-draft.ts'
import { viewConstraints, viewExplanation, viewMemoryFacts, viewReason } from './view-explanation.ts'

export const apiVersion = 'v1'

interface NamespaceSums extends NamespaceRef {
  readonly hardQuota: HardQuota
  readonly totals: NamespaceTotals
  readonly newSpendUsd: number
  readonly measuredHours: number
  readonly prices: PriceSummary
  readonly newSpendIfAllChangeUsd: number
}

export function viewSpend(namespace: NamespaceSums, createdAt: number) {
  const { totals } = namespace
  const currentSpend = viewUsd(totals.spendUsd)
  const newSpend = viewUsd(namespace.newSpendUsd)
  return {
    APIVersion: apiVersion,
    Cluster: namespace.cluster,
    Namespace: namespace.namespace,
    CreationTime: new Date(createdAt).toISOString(),
    CurrentSpend: currentSpend,
    NewSpend: newSpend,
    TotalResourceSavingsAmount: viewUsd(currentSpend - newSpend),
    ExpectedUtilisationPercent: totals.utilisation,
  }
}

export function viewTotals(namespace: NamespaceSums) {
  const { totals, hardQuota, measuredHours, newSpendUsd, newSpendIfAllChangeUsd, prices } = namespace
  const quota = totals.quotaFor(hardQuota)
  const { current, recommended } = totals.sizes
  const saved = (name: keyof ContainerSizes) => amount(current[name] - recommended[name])
  const perMonth = (usd: number): number => roundSum((usd * hoursPerMonth) / measuredHours)
  return {
    ResourceQuotaRecommendations: {
      CPU: { Current: amount(hardQuota.cpu), Recommended: amount(quota.cpu) },
      Memory: { Current: amount(hardQuota.memory), Recommended: amount(quota.memory) },
    },
    TotalCPULimits: amount(current.cpuLimit),
    TotalCPULimitsSavings: saved('cpuLimit'),
    TotalCPURequests: amount(current.cpuRequest),
    TotalCPURequestsSavings: saved('cpuRequest'),
    TotalMemoryLimits: amount(current.memoryLimit),
    TotalMemoryLimitsSavings: saved('memoryLimit'),
    TotalMemoryRequests: amount(current.memoryRequest),
    TotalMemoryRequestsSavings: saved('memoryRequest'),
    CurrentUtilisationPercent: totals.currentUtilisation,
    MeasuredHours: measuredHours,
    MonthlyCurrentSpend: perMonth(totals.spendUsd),
    MonthlyNewSpend: perMonth(newSpendUsd),
    MonthlySavings: perMonth(totals.spendUsd - newSpendUsd),
    MonthlySavingsIfAllChange: perMonth(totals.spendUsd - newSpendIfAllChangeUsd),
    EstimatedSpend: viewUsd(totals.estimatedUsd),
    Prices: prices.sources.map(({ source, day, priceRules, nodes }) => ({
      Source: source,
      ...(priceRules === undefined ? {} : { Rules: priceRules }),
      Date: day ?? null,
      Nodes: nodes,
    })),
    Notes: [...prices.notes, ...(totals.unknown === 0 ? [] : [unknownNote(totals.unknown)])],
  }
}

const unknownNote = (count: number): string =>
  `Requests of ${plural(count, 'container')} are unknown, so they are in no total: send metrics of kube-state-metrics.`

export function viewSizes(container: PricedContainer) {
  const { workload, replicas, cpu, memory, explanation, hasUnknownRequests } = container
  return {
    Kind: kindOfWorkload(workload),
    Workload: nameOfWorkload(workload),
    Container: container.name,
    Init: container.init,
    ...(hasUnknownRequests ? { RequestsUnknown: true } : {}),
    CPU: {
      Requests: band(container, 'cpuRequest'),
      Limits: band(container, 'cpuLimit'),
      Usage: percentiles(cpu, microcores),
    },
    Memory: {
      Requests: band(container, 'memoryRequest'),
      Limits: band(container, 'memoryLimit'),
      Usage: percentiles(memory, gibBytes),
    },
    Replicas: {
      Current: replicas.atEnd,
      Highest: replicas.highest,
      AutoscalerMaximum: replicas.most ?? null,
    },
    CurrentSpend: viewUsd(usdOf(container.currentSpend)),
    OOMKills: container.oomKills,
    Restarts: container.restarts,
    ThrottledPercent: round(100 * container.throttledShare, 3),
    MemoryLeak: container.leaks,
    Confidence: round(container.confidence, 3),
    Reasons: container.reasons,
    ...(explanation !== undefined
      ? {
          Explanation: {
            CPU: viewExplanation(explanation.cpu, cpu, microcores),
            Memory: viewExplanation(explanation.memory, memory, gibBytes),
            MemoryFacts: viewMemoryFacts(container.memoryFacts),
            Constraints: viewConstraints(container.rules),
            Reasons: container.codes.map(viewReason),
          },
        }
      : {}),
  }
}

/**
 * Recommended is null without enough data or if nothing is set. If a change is not worthwhile, it is the current value.
 */
function band(container: PricedContainer, name: keyof ContainerSizes) {
  const advised = name.startsWith('cpu') ? container.advised.cpu : container.advised.memory
  return {
    Current: orNull(container.current[name]),
    Recommended: advised === null ? null : orNull(container.recommended[name]),
    LowerBound: orNull(container.lower[name]),
    UpperBound: orNull(container.upper[name]),
  }
}

function percentiles(distribution: Distribution, unit: number) {
  if (distribution.count === 0) return null
  const at = (q: number) => amount(distribution.quantile(q) / unit)
  return {
    Mean: amount(distribution.mean / unit),
    P50: at(0.5),
    P90: at(0.9),
    P95: at(0.95),
    P99: at(0.99),
    Max: at(1),
  }
}

export const viewUsd = (value: number): number => round(value, 6)
const amount = (value: number): number => round(value, 6)
const orNull = (value: number | undefined): number | null => (value === undefined ? null : amount(value))
