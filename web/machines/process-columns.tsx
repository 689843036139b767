import { cores, gib, money } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import type { Process } from './queries.ts'

export const processId = ({ process, cgroup, processGroup }: Process): string =>
  `${processGroup}\n${process}\n${cgroup}`

type Step = 'baseline' | 'current' | 'recommended'
const steps: readonly (readonly [Step, string])[] = [
  ['baseline', 'usual'],
  ['current', 'now'],
  ['recommended', 'recommended'],
]

/** Columns for baseline, current and recommended size of CPU or memory. */
function figures(
  of: 'cpu' | 'memory',
  name: string,
  unit: 'cores' | 'GiB',
  say: (value: number) => string,
): readonly Column<Process>[] {
  return steps.map(([step, word]) => ({
    id: `${of}-${step}`,
    header: `${name} ${word}`,
    unit,
    value: (row) => row[of][step].value,
    cell: (row) => say(row[of][step].value),
    number: true,
    minor: true,
  }))
}

/** Spend covers the period that `words` names. */
export const processColumns = (words: string): readonly Column<Process>[] => [
  {
    id: 'process',
    header: 'Process',
    value: ({ process }) => process,
    cell: ({ process, processGroup, cgroup, cpu, memory }) => (
      <span className="two-lines process">
        <b>{process}</b>
        <span className="not-narrow" title={cgroup}>
          {processGroup}, {cgroup.split('/').at(-1)}
        </span>
        <span className="only-narrow">
          {processGroup}, needs {cores(cpu.recommended.value)}, {gib(memory.recommended.value)}
        </span>
      </span>
    ),
    fill: true,
  },
  {
    id: 'group',
    header: 'Group',
    value: ({ processGroup }) => processGroup,
    extra: true,
  },
  {
    id: 'spend',
    header: `Spend in ${words}`,
    unit: 'USD',
    value: ({ currentSpend }) => currentSpend,
    cell: ({ currentSpend }) => money(currentSpend),
    number: true,
  },
  ...figures('cpu', 'CPU', 'cores', cores),
  ...figures('memory', 'Memory', 'GiB', gib),
]
