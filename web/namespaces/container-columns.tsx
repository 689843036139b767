import { Badge } from '../parts/badge.tsx'
import { cpuRequest, memoryRequest, money, share } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import { Attention, leastSure } from './attention.tsx'
import type { Container } from './queries.ts'
import { savingTone } from './saving.tsx'

/** Spend is per month. */
export type ContainerRow = Container & { readonly id: string }

const saved = ({ CurrentSpend, NewSpend }: Container) => CurrentSpend - NewSpend

export function containerColumns(
  onOpen: (id: string) => void,
  open: string | undefined,
): readonly Column<ContainerRow>[] {
  return [
    {
      id: 'container',
      header: 'Workload',
      value: ({ Kind, Workload, Container: name }) => `${Workload} ${name} ${Kind}`,
      cell: (row) => (
        <span className="two-lines">
          <span className="with-badge as-text">
            <button
              type="button"
              className="link"
              aria-pressed={row.id === open}
              aria-label={`${row.Workload}, container ${row.Container}`}
              onClick={() => onOpen(row.id)}
            >
              {row.Workload}
            </button>
            <Attention of={row} short />
          </span>
          <span>
            {row.Kind}, container {row.Container}
            {row.Init && ', init'}
          </span>
        </span>
      ),
    },
    {
      id: 'replicas',
      header: 'Replicas',
      value: ({ Replicas }) => Replicas.Current,
      number: true,
      minor: true,
    },
    {
      id: 'cpu',
      header: 'CPU',
      value: ({ CPU }) => CPU.Requests.Recommended,
      cell: ({ CPU, RequestsUnknown }) => (
        <Change of={CPU.Requests} isUnknown={RequestsUnknown} say={cpuRequest} />
      ),
      exported: [
        { header: 'CPU request now', unit: 'cores', value: ({ CPU }) => CPU.Requests.Current },
        { header: 'CPU request recommended', unit: 'cores', value: ({ CPU }) => CPU.Requests.Recommended },
      ],
      number: true,
      minor: true,
    },
    {
      id: 'memory',
      header: 'Memory',
      value: ({ Memory }) => Memory.Requests.Recommended,
      cell: ({ Memory, RequestsUnknown }) => (
        <Change of={Memory.Requests} isUnknown={RequestsUnknown} say={memoryRequest} />
      ),
      exported: [
        { header: 'Memory request now', unit: 'GiB', value: ({ Memory }) => Memory.Requests.Current },
        {
          header: 'Memory request recommended',
          unit: 'GiB',
          value: ({ Memory }) => Memory.Requests.Recommended,
        },
      ],
      number: true,
      minor: true,
    },
    {
      id: 'spend',
      header: 'Spend/month',
      unit: 'USD',
      value: ({ CurrentSpend }) => CurrentSpend,
      cell: ({ CurrentSpend }) => money(CurrentSpend),
      number: true,
    },
    {
      id: 'savings',
      header: 'Saves/month',
      unit: 'USD',
      value: saved,
      cell: (row) => <span className={savingTone(saved(row))}>{money(saved(row))}</span>,
      number: true,
    },
    {
      id: 'confidence',
      header: 'Confidence',
      unit: '%',
      value: ({ Confidence }) => 100 * Confidence,
      cell: ({ Confidence }) =>
        Confidence < leastSure ? <Badge tone="warn">{share(Confidence)}</Badge> : share(Confidence),
      number: true,
      minor: true,
    },
  ]
}

/** Shows the current and the recommended request. */
function Change({
  of: { Current: now, Recommended: then },
  isUnknown = false,
  say,
}: {
  of: { Current: number | null; Recommended: number | null }
  isUnknown: boolean | undefined
  say: (value: number | null) => string
}) {
  return (
    <span className="two-lines">
      {then === null ? 'unchanged' : say(then)}
      <span>{now !== null ? `now ${say(now)}` : isUnknown ? 'now unknown' : 'currently not set'}</span>
    </span>
  )
}
