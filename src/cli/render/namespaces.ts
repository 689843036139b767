import type { SizedContainer } from '../../operations/recommend-sizes/sized-container.ts'
import { usdOf } from '../../operations/recommend-sizes/sized-container.ts'
import type { SizedNamespace } from '../../operations/recommend-sizes/sized-namespace.ts'
import { difference, dollars, percent, plural, printable } from './figures.ts'
import { renderTable } from './table.ts'

/** What namespaces cost and would cost, then each container that should change. */
export function renderNamespaces(namespaces: readonly SizedNamespace[]): string {
  if (namespaces.length === 0) return 'Nothing ran there in that time.'
  const rows = namespaces.map((sized) => {
    const [now, then] = [spend(sized, 'spendNow'), spend(sized, 'spendThen')]
    return [
      printable(sized.cluster),
      printable(sized.namespace),
      String(sized.containers.length),
      dollars(now),
      dollars(then),
      difference(then - now),
      now > 0 ? percent((100 * (now - then)) / now) : '-',
    ]
  })
  const head = ['CLUSTER', 'NAMESPACE', 'CONTAINERS', 'SPEND', 'NEW SPEND', 'CHANGE', 'SAVED']
  const changes = namespaces.flatMap(changesOf)
  const changed = [['NAMESPACE', 'CONTAINER', 'CPU', 'MEMORY', 'CHANGE', 'CONFIDENCE'], ...changes]
  return [
    renderTable([head, ...rows], [2, 3, 4, 5, 6]),
    '',
    changes.length === 0
      ? 'No container should change.'
      : `${plural(changes.length, 'container')} should change:\n${renderTable(changed, [4, 5])}`,
  ].join('\n')
}

const spend = ({ containers }: SizedNamespace, which: 'spendNow' | 'spendThen'): number =>
  containers.reduce((sum, container) => sum + usdOf(container[which]), 0)

function changesOf({ namespace, containers }: SizedNamespace): string[][] {
  return containers
    .filter(({ requests }) => requests.cpu !== undefined || requests.memory !== undefined)
    .map((container) => [
      printable(namespace),
      printable(container.key),
      change(container, 'cpuRequest', 'cores'),
      change(container, 'memoryRequest', 'GiB'),
      difference(usdOf(container.spendThen) - usdOf(container.spendNow)),
      container.confidence.toFixed(2),
    ])
}

/** 2 -> 0.5 cores; - where it stays. */
function change(
  { now, recommended }: SizedContainer,
  name: 'cpuRequest' | 'memoryRequest',
  unit: string,
): string {
  const [from, to] = [now[name], recommended[name]]
  if (from === to || to === undefined) return '-'
  return `${from === undefined ? 'none' : size(from)} -> ${size(to)} ${unit}`
}

const size = (value: number): string => String(Number(value.toFixed(3)))
