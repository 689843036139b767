import { dollars, hoursPerMonth } from '../../domain/money.ts'
import { cpuQuantity, memoryQuantity } from '../../domain/quantity.ts'
import { minSizedHours } from '../../domain/recommendation.ts'
import { plural } from '../../domain/text.ts'
import type {
  ContainerRecommendation,
  NamespaceRecommendation,
} from '../../recommendations/containers/schema.ts'
import { difference, formatPercent, noContainers, printable } from './figures.ts'
import { renderTable } from './table.ts'

export function renderNamespaces(namespaces: readonly NamespaceRecommendation[]): string {
  if (namespaces.length === 0) return noContainers
  return [
    renderTable([spendHead, ...namespaces.map(spendRow)], [2, 3, 4, 5, 6, 7, 8]),
    ...changeSections(namespaces),
    'A month is 730 hours like those measured. Change: if only this namespace changes. Used: share of the current requests.',
    ...spendNotes(namespaces),
  ].join('\n')
}

const spendHead = [
  ...['CLUSTER', 'NAMESPACE', 'CONTAINERS', 'SPEND/MONTH', 'NEW SPEND/MONTH', 'CHANGE/MONTH'],
  ...['SAVED', 'CPU USED', 'MEMORY USED'],
]

function spendRow(sized: NamespaceRecommendation): string[] {
  const { MonthlyCurrentSpend: now, MonthlyNewSpend: then, MonthlySavings: saved } = sized
  return [
    sized.Cluster,
    sized.Namespace,
    String(Object.keys(sized.ContainerRecommendations).length),
    dollars(now),
    dollars(then),
    difference(-saved),
    now > 0 ? formatPercent((100 * saved) / now) : '-',
    sized.TotalCPURequests > 0 ? formatPercent(sized.CurrentUtilisationPercent.cpu) : '-',
    sized.TotalMemoryRequests > 0 ? formatPercent(sized.CurrentUtilisationPercent.memory) : '-',
  ]
}

/** Each section is between empty lines. */
function changeSections(namespaces: readonly NamespaceRecommendation[]): string[] {
  const changes = namespaces.flatMap((sized) => changesOf(sized))
  const unknown = namespaces.flatMap((sized) => changesOf(sized, true))
  const containers = namespaces.flatMap((sized) => Object.values(sized.ContainerRecommendations))
  const unsized = containers.filter(
    ({ CPU, Memory }) => CPU.Requests.Recommended === null && Memory.Requests.Recommended === null,
  )
  const sections: string[] = []
  if (changes.length > 0)
    sections.push(`${plural(changes.length, 'container')} should change:\n${changeTable(changes)}`)
  else if (unsized.length + unknown.length < containers.length)
    sections.push(`No ${unsized.length > 0 ? 'other ' : ''}container should change.`)
  if (unknown.length > 0)
    sections.push(
      `Sizes of ${plural(unknown.length, 'container')} with unknown requests, in no total:\n${changeTable(unknown)}`,
    )
  if (unsized.length > 0)
    sections.push(
      `${plural(unsized.length, 'container has', 'containers have')} no recommended size, for which at least ${minSizedHours} hours of usage are needed; --explain shows the reasons.`,
    )
  return ['', ...sections.flatMap((section) => [section, ''])]
}

const changeTable = (changes: string[][]): string =>
  renderTable([['NAMESPACE', 'CONTAINER', 'CPU', 'MEMORY', 'CHANGE/MONTH', 'CONFIDENCE'], ...changes], [4, 5])

function spendNotes(namespaces: readonly NamespaceRecommendation[]): string[] {
  const estimated = namespaces.filter(({ EstimatedSpend }) => EstimatedSpend > 0)
  const saved = namespaces.reduce((sum, { MonthlySavingsIfAllChange }) => sum + MonthlySavingsIfAllChange, 0)
  const notes: string[] = []
  if (namespaces.length > 1)
    notes.push(`If all ${namespaces.length} namespaces change at once: ${difference(-saved)} a month.`)
  if (estimated.length > 0)
    notes.push(
      `The spend of ${plural(estimated.length, 'namespace')} is partly an estimate.`,
      ...new Set(estimated.flatMap(({ Notes }) => Notes)),
    )
  return notes
}

function changesOf(
  { Namespace, ContainerRecommendations, MeasuredHours }: NamespaceRecommendation,
  areUnknown = false,
): string[][] {
  const now = areUnknown ? 'unknown' : 'none'
  return Object.entries(ContainerRecommendations)
    .filter(([, { RequestsUnknown = false }]) => RequestsUnknown === areUnknown)
    .map(([key, { CPU, Memory, NewSpend, CurrentSpend, Confidence }]) => [
      Namespace,
      key,
      change(CPU.Requests, cpuQuantity, now),
      change(Memory.Requests, memoryQuantity, now),
      difference(((NewSpend - CurrentSpend) * hoursPerMonth) / MeasuredHours),
      Confidence.toFixed(2),
    ])
    .filter(([, , cpu, memory]) => cpu !== unchanged || memory !== unchanged)
}

const unchanged = '-'

/** Renders a change as `2 -> 500m`, or as `-` if there is none. */
function change(
  { Current, Recommended }: ContainerRecommendation['CPU']['Requests'],
  text: (size: number) => string,
  without: string,
): string {
  if (Current === Recommended || Recommended === null) return unchanged
  return `${Current === null ? without : text(Current)} -> ${text(Recommended)}`
}

type Explanation = NonNullable<ContainerRecommendation['Explanation']>['CPU']

export function renderExplanations(namespaces: readonly NamespaceRecommendation[]): string {
  return namespaces
    .flatMap(({ Namespace, ContainerRecommendations }) =>
      Object.entries(ContainerRecommendations).map(([key, container]) =>
        explained(Namespace, key, container),
      ),
    )
    .join('\n\n')
}

function explained(namespace: string, key: string, { Reasons, Explanation }: ContainerRecommendation) {
  return [
    `${printable(namespace)} ${printable(key)}`,
    ...(Explanation === undefined ? [] : renderEstimates(Explanation).map(indented)),
    ...Reasons.map((reason) => `  ${printable(reason)}`),
    ...(Explanation?.Constraints ?? []).map(
      ({ Name, Value, From }) => `  Constraint: ${Name}=${printable(Value)} (${From})`,
    ),
  ].join('\n')
}

/** What each rule estimates, with the one that decides. */
export function renderEstimates({
  CPU: cpu,
  Memory: memory,
}: NonNullable<ContainerRecommendation['Explanation']>): string[] {
  const names = new Set([cpu, memory].flatMap((of) => of?.Estimates.map(({ By }) => By) ?? []))
  const rows = [...names].map((by) => [by, estimateText(cpu, by, 'cores'), estimateText(memory, by, 'GiB')])
  const trained = Math.max(cpu?.LearntFromDays ?? 0, memory?.LearntFromDays ?? 0)
  const model = trained > 0 ? `trained on ${trained} days of your own containers` : 'built in'
  if (rows.length === 0) return []
  return [renderTable([['ESTIMATOR', 'CPU', 'MEMORY'], ...rows]), `* decided; the model is ${model}`]
}

/** Renders an estimate as `0.5 cores *`, or as `-` without a result. */
function estimateText(explanation: Explanation | undefined, by: string, unit: string): string {
  const estimate = explanation?.Estimates.find(({ By }) => By === by)
  if (estimate === undefined || estimate.Value === null) return '-'
  return `${Number(estimate.Value.toPrecision(3))} ${unit}${estimate.Decided ? ' *' : ''}`
}

const indented = (text: string): string => text.replace(/^/gm, '  ')
