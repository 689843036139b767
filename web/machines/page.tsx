import { useMemo } from 'react'
import '../styles/machines.css'
import { useProviderName } from '../compare/provider-names.ts'
import { count, counted, money } from '../parts/figures.ts'
import { ListStates } from '../parts/list-states.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { Tile } from '../parts/tile.tsx'
import { usePlace } from '../state/router.ts'
import { NoUsage } from '../usage/no-usage.tsx'
import { barParams, usePeriod } from '../usage/period.ts'
import { silentMachines } from '../usage/silent-machines.ts'
import { useSources } from '../usage/sources.ts'
import { FirstMachine } from './first-machine.tsx'
import { costText, statesText } from './fleet-words.ts'
import { type MachineRow, machineRows, possibleSavings } from './machine-row.ts'
import { MachineView } from './machine-view.tsx'
import { useMachineMetadata, useSummaries } from './queries.ts'
import { machineColumns } from './summary-columns.tsx'

/** Shows what machines do, and what would be sufficient. */
export default function MachinesPage({ rest }: { rest: readonly string[] }) {
  return rest[0] === undefined ? <Machines /> : <MachineView key={rest[0]} vm={rest[0]} />
}

function Machines() {
  const period = usePeriod()
  const list = useSummaries(period)
  const metadata = useMachineMetadata()
  const sources = useSources().data
  const providerName = useProviderName()
  const { rows } = list
  const machines = useMemo(
    () => rows && machineRows(rows, metadata.rows ?? [], silentMachines(sources)),
    [rows, metadata.rows, sources],
  )
  return (
    <>
      <PageHead
        title="Machines"
        text="Your machines, the size that they need, and cheaper machines of that size."
      />
      <ListStates
        what="machines"
        icon="server"
        progress="Loading machines"
        missing="This version of the service does not measure machines."
        list={list}
      />
      {machines?.length === 0 && (
        <NoUsage kind="machine" icon="server" text="No machine reported usage. Choose other dates.">
          <FirstMachine />
        </NoUsage>
      )}
      {machines !== undefined && machines.length > 0 && (
        <Fleet machines={machines} isWhole={!list.hasNextPage} providerName={providerName} />
      )}
    </>
  )
}

/** Sums are shown once all machines are loaded, so that nobody reads a partial sum. */
function Fleet({
  machines,
  isWhole,
  providerName,
}: {
  machines: readonly MachineRow[]
  isWhole: boolean
  providerName: (key: string) => string
}) {
  const { params } = usePlace()
  const columns = useMemo(() => machineColumns(barParams(params), providerName), [params, providerName])
  const sum = (of: (row: MachineRow) => number | null | undefined) =>
    machines.reduce((total, row) => total + (of(row) ?? 0), 0)
  const { perMonth: saved, notCompared } = possibleSavings(machines)
  return (
    <>
      <dl className="tiles" aria-busy={!isWhole}>
        <Tile label="Machines" value={isWhole ? count(machines.length) : '…'} note={statesText(machines)} />
        <Tile
          label="Cost now"
          value={isWhole ? money(sum(({ costPerMonth }) => costPerMonth)) : '…'}
          note={isWhole ? costText(machines) : 'per month'}
        />
        <Tile
          label="Possible savings"
          value={isWhole ? money(saved) : '…'}
          note={[
            ...(saved === undefined ? [] : ['per month, without commitments and without spot']),
            ...(notCompared === 0 ? [] : [`${counted(notCompared, 'machine')} not compared yet`]),
          ].join('; ')}
          tone={isWhole && saved !== undefined && saved > 0 ? 'good' : undefined}
        />
      </dl>
      <DataTable
        name="machines"
        caption="Machines"
        columns={columns}
        rows={machines}
        rowId={({ vm }) => vm}
        firstSort={mostSavedFirst}
      />
    </>
  )
}

const mostSavedFirst = { id: 'savings', desc: true }
