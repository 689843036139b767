import { useMemo } from 'react'
import { Badge } from '../parts/badge.tsx'
import { cores, count, gib } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { setParams, usePlace } from '../state/router.ts'
import { derivation, type Estimate, type EstimateRow, estimateRows } from './estimate-rows.ts'
import type { Container } from './queries.ts'

/** Shows the result of each estimator for a container, and which one decided. */
export function Estimates({ of }: { of: NonNullable<Container['Explanation']> }) {
  const rows = useMemo(() => estimateRows(of), [of])
  const open = usePlace().params.has('estimates')
  if (rows.length === 0) return null
  const { Days, LearntFromDays } = of.CPU
  return (
    <details
      className="estimates"
      open={open}
      onToggle={(event) =>
        setParams({ estimates: event.currentTarget.open ? 'shown' : undefined }, 'replace')
      }
    >
      <summary>Results of each estimator</summary>
      <p className="note">
        From {count(Days)} {Days === 1 ? 'day' : 'days'} of its history, and{' '}
        {LearntFromDays === 0
          ? 'the built-in model, until there is enough history of your own.'
          : `a model trained on ${count(LearntFromDays)} days of your own containers.`}
      </p>
      <DataTable
        name="estimators"
        caption="Estimators"
        columns={columns}
        rows={rows}
        rowId={({ by }) => by}
      />
    </details>
  )
}

const columns: readonly Column<EstimateRow>[] = [
  {
    id: 'estimator',
    header: 'Estimator',
    value: ({ name }) => name,
    cell: ({ name }) => <b>{name}</b>,
  },
  {
    id: 'cpu',
    header: 'CPU',
    unit: 'cores',
    value: ({ cpu }) => cpu?.Value ?? null,
    cell: ({ cpu }) => <Said of={cpu} say={cores} />,
    number: true,
  },
  {
    id: 'memory',
    header: 'Memory',
    unit: 'GiB',
    value: ({ memory }) => memory?.Value ?? null,
    cell: ({ memory }) => <Said of={memory} say={gib} />,
    number: true,
  },
  {
    id: 'how',
    header: 'Reason',
    value: ({ cpu, memory }) => `${derivation(cpu)}; ${derivation(memory)}`,
    cell: ({ cpu, memory }) => <How cpu={derivation(cpu)} memory={derivation(memory)} />,
    minor: true,
    fill: true,
  },
]

function Said({ of, say }: { of: Estimate | undefined; say: (value: number | null) => string }) {
  if (of === undefined) return <>–</>
  return (
    <span className="two-lines">
      {say(of.Value)}
      {of.Decided && (
        <span>
          <Badge tone="good">decided</Badge>
        </span>
      )}
    </span>
  )
}

function How({ cpu, memory }: { cpu: string; memory: string }) {
  return (
    <span className="two-lines">
      {cpu !== '' && <span>CPU: {cpu}</span>}
      {memory !== '' && <span>Memory: {memory}</span>}
    </span>
  )
}
