import { usePeriod } from '../app/period.ts'
import { DataTable } from '../parts/data-table.tsx'
import { count, money } from '../parts/figures.ts'
import { ListStates } from '../parts/list-states.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Tile } from '../parts/tile.tsx'
import { FirstMachine } from './first-machine.tsx'
import { MachineView } from './machine-view.tsx'
import { type Summary, useSummaries } from './questions.ts'
import { summaryColumns } from './summary-columns.tsx'

const hoursPerMonth = 730

/** What do machines do, and what would do? */
export default function MachinesPage({ rest }: { rest: readonly string[] }) {
  return rest[0] === undefined ? <Machines /> : <MachineView key={rest[0]} vm={rest[0]} />
}

function Machines() {
  const period = usePeriod()
  const list = useSummaries(period)
  const { rows } = list
  return (
    <>
      <PageHead title="Machines" text="Usage, recommended sizes and cheaper alternatives of your machines." />
      <ListStates
        what="machines"
        icon="server"
        progress="Loading machines"
        missing="This version of the service does not measure machines."
        list={list}
      />
      {rows?.length === 0 && <FirstMachine />}
      {rows !== undefined && rows.length > 0 && <Fleet rows={rows} />}
    </>
  )
}

function Fleet({ rows }: { rows: readonly Summary[] }) {
  const sum = (of: (row: Summary) => number | null | undefined) =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0)
  const now = sum(({ rehost }) => rehost?.currentCostPerHour) * hoursPerMonth
  const saved = sum(({ rehost }) => Math.max(0, rehost?.anywhere?.savingsPerMonth ?? 0))
  const idle = rows.filter((row) => row.idle).length
  return (
    <>
      <dl className="tiles">
        <Tile
          label="Machines"
          value={count(rows.length)}
          note={idle === 0 ? 'none is idle' : `${count(idle)} idle`}
        />
        <Tile label="Cost now" value={money(now)} note="a month" />
        <Tile
          label="Savings elsewhere"
          value={money(saved)}
          note="a month, on the cheapest that fit"
          tone={saved > 0 ? 'good' : undefined}
        />
      </dl>
      <DataTable
        name="machines"
        caption="Machines"
        columns={summaryColumns}
        rows={rows}
        rowId={({ vm }) => vm}
        firstSort={mostSavedFirst}
      />
    </>
  )
}

const mostSavedFirst = { id: 'savings', desc: true }
