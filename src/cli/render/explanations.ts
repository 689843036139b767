import type { SizedContainer } from '../../operations/recommend-sizes/sized-container.ts'
import type { SizedNamespace } from '../../operations/recommend-sizes/sized-namespace.ts'
import type { Explanation } from '../../rightsizing/explain.ts'
import { printable } from './figures.ts'
import { renderTable } from './table.ts'

/** For each container what everybody says, which one decided (*), and the reasons. */
export function renderExplanations(namespaces: readonly SizedNamespace[]): string {
  return namespaces
    .flatMap(({ namespace, containers }) => containers.map((container) => explained(namespace, container)))
    .join('\n\n')
}

function explained(namespace: string, { key, reasons, explanation }: SizedContainer): string {
  const [cpu, memory] = [explanation?.cpu ?? null, explanation?.memory ?? null]
  const names = new Set([cpu, memory].flatMap((of) => of?.sayings.map(({ by }) => by) ?? []))
  const rows = [...names].map((by) => [by, said(cpu, by, 'cores'), said(memory, by, 'GiB')])
  const learnt = Math.max(cpu?.learntFromDays ?? 0, memory?.learntFromDays ?? 0)
  const from = learnt > 0 ? `learnt from ${learnt} days of your own containers` : 'experience from elsewhere'
  return [
    `${printable(namespace)} ${printable(key)}${rows.length === 0 ? '' : `, ${from}:`}`,
    ...(rows.length === 0 ? [] : [indented(renderTable([['SAYS', 'CPU', 'MEMORY'], ...rows]))]),
    ...reasons.map((reason) => `  ${printable(reason)}`),
  ].join('\n')
}

/** 0.5 cores *; - where it says nothing. */
function said(of: Explanation | null, by: string, unit: string): string {
  const saying = of?.sayings.find((one) => one.by === by)
  if (saying === undefined || saying.value === null) return '-'
  return `${Number(saying.value.toPrecision(3))} ${unit}${saying.decided ? ' *' : ''}`
}

const indented = (text: string): string => text.replace(/^/gm, '  ')
