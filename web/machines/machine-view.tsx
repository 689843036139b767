import { useMemo } from 'react'
import { Chart } from '../charts/chart.tsx'
import { useProviderName } from '../compare/provider-names.ts'
import { effortNames } from '../compare/words.ts'
import { Badge } from '../parts/badge.tsx'
import { Breadcrumb } from '../parts/breadcrumb.tsx'
import { cores, count, day, gib, hourly, moment, money } from '../parts/figures.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Notice, Skeleton, Trouble } from '../parts/states.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { Tile } from '../parts/tile.tsx'
import { DecisionCard } from '../recommendations/decision-card.tsx'
import { addressOf, setParams, usePlace } from '../state/router.ts'
import { barParams, usePeriod } from '../usage/period.ts'
import { silentMachines } from '../usage/silent-machines.ts'
import { useSources } from '../usage/sources.ts'
import { type MachineRow, machineRow, machineText } from './machine-row.ts'
import { MachineShare, maxShares } from './machine-share.tsx'
import { MachineUsage } from './machine-usage.tsx'
import { processColumns, processId } from './process-columns.tsx'
import { type Process, useMachineMetadata, useProcesses, useSummary } from './queries.ts'
import { Rehost } from './rehost.tsx'
import { PriceSource } from './summary-columns.tsx'
import { groupsOf, treemapOf } from './treemap.ts'

export function MachineView({ vm }: { vm: string }) {
  const { params } = usePlace()
  const period = usePeriod()
  const summary = useSummary(vm, period)
  const processes = useProcesses(vm, period)
  const metadata = useMachineMetadata()
  const providerName = useProviderName()
  const silentSince = silentMachines(useSources().data).get(vm)
  const own = metadata.rows?.find(({ name }) => name === vm)
  return (
    <>
      <Breadcrumb
        crumbs={[{ name: 'Machines', href: addressOf(['machines'], barParams(params)) }, { name: vm }]}
      />
      <PageHead
        title={
          <>
            {vm} {summary.data?.idle === true && <Badge tone="warn">idle</Badge>}{' '}
            {silentSince !== undefined && <Badge tone="bad">silent</Badge>}
          </>
        }
        text={summary.data ? machineLead(machineText(own, providerName), silentSince) : undefined}
      />
      {summary.isPending && <Skeleton lines={8} label="Loading the machine" />}
      {summary.error !== null && summary.data === undefined && (
        <Trouble error={summary.error} again={() => void summary.refetch()} />
      )}
      {summary.data === null && (
        <Empty icon="server" title="No data for this machine" text="It sent no usage in this period." />
      )}
      {summary.data != null && <SummaryTiles of={machineRow(summary.data, own, silentSince)} />}
      {summary.data != null && (
        <DecisionCard
          filter={{ kind: 'machine', q: vm }}
          isMeant={({ machine }) => machine === vm}
          none="Nothing is recommended for this machine."
        />
      )}
      {summary.data?.rehost !== undefined && <Rehost of={summary.data.rehost} vm={vm} />}
      {processes.error !== null && <Trouble error={processes.error} again={() => void processes.refetch()} />}
      {processes.hasNextPage && (
        <Notice tone="info">Loading: {count(processes.rows?.length)} processes so far.</Notice>
      )}
      {processes.rows !== undefined && processes.rows.length > 0 && (
        <>
          <MachineUsage vm={vm} rows={processes.rows} metadata={own} period={period} />
          <MachineShare rows={processes.rows} of={summary.data} words={period.words} />
          <Processes rows={processes.rows} words={period.words} />
        </>
      )}
    </>
  )
}

const machineLead = (text: string, silentSince: string | undefined): string =>
  silentSince === undefined ? `${text}.` : `${text}. No usage since ${moment(silentSince)}.`

function SummaryTiles({ of: row }: { of: MachineRow }) {
  const { summary: of, metadata, needed, costPerMonth, savedPerMonth, isRemovable, best, isCompared } = row
  const used = (amount: string) =>
    row.silentSince === undefined ? `uses ${amount} in the latest hour` : `used ${amount} in its last hour`
  return (
    <dl className="tiles">
      <Tile
        label="Cost now"
        value={costPerMonth === null ? '–' : money(costPerMonth)}
        note={
          costPerMonth === null ? (
            'its size is not known'
          ) : (
            <>
              per month, {hourly(of.rehost?.currentCostPerHour)}/h,{' '}
              <PriceSource of={of.rehost!.priceSource} />
              {of.rehost!.priceDate !== null && ` of ${day(of.rehost!.priceDate)}`}
            </>
          )
        }
      />
      <Tile
        label="CPU"
        value={cores(metadata?.cpucores)}
        note={`needs ${cores(needed.cores)}; ${used(cores(of.totalCurrentCPU))}`}
      />
      <Tile
        label="Memory"
        value={gib(metadata?.ramgiB)}
        note={`needs ${gib(needed.gib)}; ${used(gib(of.totalCurrentRAM))}`}
      />
      <Tile
        label="Possible savings"
        value={savedPerMonth === undefined ? '–' : money(savedPerMonth)}
        note={
          isRemovable
            ? 'per month: remove it, unless it is a standby'
            : best === undefined
              ? isCompared
                ? 'no comparable machine costs less'
                : 'not compared yet'
              : `per month: ${effortNames[best.effort].toLowerCase()}`
        }
        tone={savedPerMonth === undefined ? undefined : 'good'}
      />
    </dl>
  )
}

function Processes({ rows, words }: { rows: readonly Process[]; words: string }) {
  const { params } = usePlace()
  const group = params.get('group') ?? undefined
  const groups = groupsOf(rows)
  const shown = useMemo(
    () => rows.filter((row) => group === undefined || row.processGroup === group),
    [rows, group],
  )
  const option = useMemo(() => treemapOf(shown), [shown])
  const columns = useMemo(() => processColumns(words), [words])
  return (
    <>
      {rows.length >= maxShares && (
        <section className="card machine-map" aria-labelledby="map-title">
          <div className="card-head">
            <h2 id="map-title">
              Processes by cost <span className="note">in {words}</span>
            </h2>
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
      )}
      <DataTable
        name="processes"
        caption="Processes"
        columns={columns}
        rows={shown}
        rowId={processId}
        firstSort={dearestFirst}
        dense
      />
    </>
  )
}

const dearestFirst = { id: 'spend', desc: true }
