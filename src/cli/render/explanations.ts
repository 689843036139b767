import type {
  ContainerRecommendation,
  NamespaceRecommendation,
} from '../../operations/recommend-sizes/view.ts'
import { printable } from './figures.ts'
import { renderTable } from './table.ts'

type Explanation = NonNullable<ContainerRecommendation['Explanation']>['CPU']

/** For each container the result of every policy, which one decided (*), and the reasons. */
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
  const names = new Set([cpu, memory].flatMap((of) => of?.Estimates.map(({ By }) => By) ?? []))
  const rows = [...names].map((by) => [by, said(cpu, by, 'cores'), said(memory, by, 'GiB')])
  const learnt = Math.max(cpu?.LearntFromDays ?? 0, memory?.LearntFromDays ?? 0)
  const from = learnt > 0 ? `learned from ${learnt} days of your own containers` : 'the built-in model'
  return [
    `${printable(namespace)} ${printable(key)}${rows.length === 0 ? '' : `, ${from}:`}`,
    ...(rows.length === 0 ? [] : [indented(renderTable([['SAYS', 'CPU', 'MEMORY'], ...rows]))]),
    ...Reasons.map((reason) => `  ${printable(reason)}`),
    ...(Explanation?.Constraints ?? []).map(
      ({ Name, Value, From }) => `  In force: ${Name}=${printable(Value)} (${From})`,
    ),
  ].join('\n')
}

/** 0.5 cores *; - without a result. */
function said(of: Explanation | undefined, by: string, unit: string): string {
  const estimate = of?.Estimates.find(({ By }) => By === by)
  if (estimate === undefined || estimate.Value === null) return '-'
  return `${Number(estimate.Value.toPrecision(3))} ${unit}${estimate.Decided ? ' *' : ''}`
}

const indented = (text: string): string => text.replace(/^/gm, '  ')
