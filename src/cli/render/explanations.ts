import type {
  ContainerRecommendation,
  NamespaceRecommendation,
} from '../../recommendations/containers/schema.ts'
import { printable } from './figures.ts'
import { renderTable } from './table.ts'

type Explanation = NonNullable<ContainerRecommendation['Explanation']>['CPU']

/** Renders for each container the result of every estimator, marks the one that decided by *, and lists the reasons. */
export function renderExplanations(namespaces: readonly NamespaceRecommendation[]): string {
  return namespaces
    .flatMap(({ Namespace, ContainerRecommendations }) =>
      Object.entries(ContainerRecommendations).map(([key, container]) =>
        explained(Namespace, key, container),
      ),
    )
    .join('\n\n')
}

function explained(
  namespace: string,
  key: string,
  { Reasons, Explanation }: ContainerRecommendation,
): string {
  const [cpu, memory] = [Explanation?.CPU, Explanation?.Memory]
  const names = new Set(
    [cpu, memory].flatMap((explanation) => explanation?.Estimates.map(({ By }) => By) ?? []),
  )
  const rows = [...names].map((by) => [by, estimateText(cpu, by, 'cores'), estimateText(memory, by, 'GiB')])
  const trained = Math.max(cpu?.LearntFromDays ?? 0, memory?.LearntFromDays ?? 0)
  const from = trained > 0 ? `trained on ${trained} days of your own containers` : 'the built-in model'
  return [
    `${printable(namespace)} ${printable(key)}${rows.length === 0 ? '' : `, ${from}:`}`,
    ...(rows.length === 0 ? [] : [indented(renderTable([['ESTIMATOR', 'CPU', 'MEMORY'], ...rows]))]),
    ...Reasons.map((reason) => `  ${printable(reason)}`),
    ...(Explanation?.Constraints ?? []).map(
      ({ Name, Value, From }) => `  Constraint: ${Name}=${printable(Value)} (${From})`,
    ),
  ].join('\n')
}

/** Renders an estimate as `0.5 cores *`, or as `-` without a result. */
function estimateText(explanation: Explanation | undefined, by: string, unit: string): string {
  const estimate = explanation?.Estimates.find(({ By }) => By === by)
  if (estimate === undefined || estimate.Value === null) return '-'
  return `${Number(estimate.Value.toPrecision(3))} ${unit}${estimate.Decided ? ' *' : ''}`
}

const indented = (text: string): string => text.replace(/^/gm, '  ')
