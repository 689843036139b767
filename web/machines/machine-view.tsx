import { useMemo } from 'react'
import { Link } from '../app/link.tsx'
import { barParams, usePeriod } from '../app/period.ts'
import { addressOf, setParams, usePlace } from '../app/router.ts'
import { Chart } from '../charts/chart.tsx'
import { Badge } from '../parts/badge.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { cores, count, gib, hourly, money, percent } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Notice, Skeleton, Trouble } from '../parts/states.tsx'
import { Tile } from '../parts/tile.tsx'
import { processColumns, processId } from './process-columns.tsx'
import { type Process, type Summary, useProcesses, useSummary } from './questions.ts'
import { Rehost } from './rehost.tsx'
import { groupsOf, treemapOf } from './treemap.ts'

export function MachineView({ vm }: { vm: string }) {
  const { params } = usePlace()
  const period = usePeriod()
  const summary = useSummary(vm, period)
  const processes = useProcesses(vm, period)
  return (
    <>
      <nav aria-label="Way back" className="way-back">
        <Link href={addressOf(['machines'], barParams(params))}>
          <Icon name="left" size={15} /> Machines
        </Link>
      </nav>
      <PageHead
        title={
          <>
            {vm} {summary.data?.idle === true && <Badge tone="warn">idle</Badge>}
          </>
        }
        text={summary.data ? `Most of its price is ${driverOf(processes.rows)}.` : undefined}
      />
      {summary.isPending && <Skeleton lines={8} label="Loading the machine" />}
      {summary.error !== null && summary.data === undefined && (
        <Trouble error={summary.error} again={() => void summary.refetch()} />
      )}
      {summary.data === null && (
        <Empty icon="server" title="No data for this machine" text="It sent no usage in this period." />
      )}
      {summary.data != null && <SummaryTiles of={summary.data} />}
      {summary.data?.rehost !== undefined && <Rehost of={summary.data.rehost} vm={vm} />}
      {processes.error !== null && <Trouble error={processes.error} again={() => void processes.refetch()} />}
      {processes.hasNextPage && (
        <Notice tone="info">Loading: {count(processes.rows?.length)} processes so far.</Notice>
      )}
      {processes.rows !== undefined && processes.rows.length > 0 && <Processes rows={processes.rows} />}
    </>
  )
}

const driverOf = (rows: readonly Process[] = []): string =>
  rows[0]?.costDriver === 'memory' ? 'for its memory' : 'for its CPU'

function SummaryTiles({ of }: { of: Summary }) {
  const now = of.rehost?.currentCostPerHour
  return (
    <dl className="tiles">
      <Tile
        label="Cost now"
        value={now == null ? '–' : `${hourly(now)}/h`}
        note={now == null ? 'its size is unknown' : `about ${money(now * 730)} a month`}
      />
      <Tile
        label="CPU needed"
        value={cores(of.totalRecommendedCPU)}
        note={`uses ${cores(of.totalCurrentCPU)} now, ${percent(of.expectedUtilisationCPU)} of that`}
      />
      <Tile
        label="Memory needed"
        value={gib(of.totalRecommendedRAM)}
        note={`uses ${gib(of.totalCurrentRAM)} now, ${percent(of.expectedUtilisationRAM)} of that`}
      />
    </dl>
  )
}

function Processes({ rows }: { rows: readonly Process[] }) {
  const { params } = usePlace()
  const group = params.get('group') ?? undefined
  const groups = groupsOf(rows)
  const shown = useMemo(
    () => rows.filter((row) => group === undefined || row.processGroup === group),
    [rows, group],
  )
  const option = useMemo(() => treemapOf(shown), [shown])
  return (
    <>
      <section className="card machine-map" aria-labelledby="map-title">
        <div className="card-head">
          <h2 id="map-title">Processes by cost</h2>
          <ul className="map-key" aria-label="Groups">
            {groups.map(({ name, kind, spend }) => (
              <li key={name}>
                <button
                  type="button"
                  aria-pressed={group === name}
                  onClick={() => setParams({ group: group === name ? undefined : name }, 'push')}
                >
                  <span className={`swatch kind-${kind}`} aria-hidden="true" />
                  {name} <span className="note">{money(spend)}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
        <Chart
          label={`Treemap of ${count(shown.length)} processes by what they cost, coloured by group`}
          height={340}
          option={option}
        />
      </section>
      <DataTable
        name="processes"
        caption="Processes"
        columns={processColumns}
        rows={shown}
        rowId={processId}
        firstSort={dearestFirst}
        dense
      />
    </>
  )
}

const dearestFirst = { id: 'spend', desc: true }
