import { useMemo } from 'react'
import { savedPercentOfMonth } from '../../src/domain/money.ts'
import { cores, gib, hourly, money, percent, small } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { capNote } from '../parts/month-cap.ts'
import type { Column } from '../parts/table/column.ts'
import { ColumnChoice, chosenColumns } from '../parts/table/column-choice.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { addressOf, usePlace } from '../state/router.ts'
import { type Candidate, paidAs } from './candidates.ts'
import { maxPins } from './pins.ts'
import { PriceDay } from './price-day.tsx'
import { changesText, effortNames, speedOfAll, speedText } from './words.ts'

interface Props {
  readonly candidates: readonly Candidate[]
  /** Cores of the current machine. */
  readonly currentCores: number | undefined
  readonly pins: readonly string[]
  readonly onPin: (id: string) => void
}

export function CandidateTable({ candidates, currentCores, pins, onPin }: Props) {
  const { params } = usePlace()
  const facts = useMemo(() => factColumns(currentCores), [currentCores])
  const columns = useMemo(
    () => [...chosenColumns(facts, moreColumns, params), pinColumn(pins, onPin)],
    [facts, params, pins, onPin],
  )
  return (
    <DataTable
      name="candidates"
      caption="Candidates"
      columns={columns}
      rows={candidates}
      rowId={({ id }) => id}
      rowClass={({ id }) => (pins.includes(id) ? 'chosen' : undefined)}
      tools={<ColumnChoice columns={facts} />}
      dense
    />
  )
}

const typeColumn: Column<Candidate> = {
  id: 'type',
  header: 'Type',
  value: ({ offer }) => offer.instance_type,
  cell: ({ offer, effort }) => (
    <span className="two-lines">
      <Link href={addressOf(['prices', 'types', offer.provider, offer.instance_type])}>
        {offer.instance_type}
      </Link>
      <span className="only-narrow">
        {offer.provider}, {offer.region}
        <br />
        {cores(offer.vm?.cpu_cores)}, {gib(offer.vm?.ram_gb)}
        <br />
        {paidAs(offer.usage_type, offer.term)}
      </span>
      <span className="not-narrow one-line" title={changesText(offer).join(', ')}>
        {changesText(offer).join(', ') || effortNames[effort]}
      </span>
    </span>
  ),
  fill: true,
}

const effortColumn: Column<Candidate> = {
  id: 'effort',
  header: 'Effort',
  value: ({ effort }) => effortNames[effort],
  extra: true,
}

const regionColumn: Column<Candidate> = {
  id: 'region',
  header: 'Region',
  value: ({ offer }) => [offer.provider, offer.region, offer.availability_zone].join(' ').trim(),
  cell: ({ offer }) => (
    <span className="two-lines">
      {offer.region}
      <span>{[offer.provider, offer.availability_zone].filter((name) => name !== '').join(', ')}</span>
    </span>
  ),
  minor: true,
}

const paymentColumn: Column<Candidate> = {
  id: 'paid',
  header: 'Payment',
  value: ({ offer }) => paidAs(offer.usage_type, offer.term),
  cell: ({ offer }) => (
    <span className="two-lines">
      {paidAs(offer.usage_type)}
      {offer.term !== null && <span>{offer.term.replaceAll('-', ' ')}</span>}
      {offer.machine.spot_interruption !== null && (
        <span>interrupted {offer.machine.spot_interruption.band}</span>
      )}
    </span>
  ),
  minor: true,
}

const coresColumn: Column<Candidate> = {
  id: 'cores',
  header: 'Cores',
  value: ({ offer }) => offer.vm?.cpu_cores ?? null,
  cell: ({ offer }) => small(offer.vm?.cpu_cores),
  number: true,
  minor: true,
}

const memoryColumn: Column<Candidate> = {
  id: 'memory',
  header: 'Memory',
  unit: 'GiB',
  value: ({ offer }) => offer.vm?.ram_gb ?? null,
  cell: ({ offer }) => gib(offer.vm?.ram_gb),
  number: true,
  minor: true,
}

/** All cores together, as in the chart. */
const speedColumn = (currentCores: number | undefined): Column<Candidate> => ({
  id: 'speed',
  header: 'Speed, all cores',
  value: ({ offer }) => speedOfAll(offer, currentCores),
  cell: ({ offer }) => {
    const speed = speedOfAll(offer, currentCores)
    return (
      <span title={`A core: ${speedText(offer)}`}>
        {speed === null ? 'not known' : `${speed.toFixed(2)}×`}
      </span>
    )
  },
  number: true,
  extra: true,
})

const priceDayColumn: Column<Candidate> = {
  id: 'price-day',
  header: 'Price date',
  value: ({ offer }) => offer.price.day,
  cell: ({ offer }) => <PriceDay of={offer.price} />,
  minor: true,
}

const monthColumn: Column<Candidate> = {
  id: 'month',
  header: 'Per month',
  unit: 'USD',
  value: ({ offer }) => offer.cost_per_month,
  cell: ({ offer }) => (
    <span
      title={`${hourly(offer.cost_per_hour)} per hour${capNote(offer.cost_per_hour, offer.cost_per_month)}`}
    >
      {money(offer.cost_per_month)}
    </span>
  ),
  number: true,
  minor: true,
}

const savingsColumn: Column<Candidate> = {
  id: 'saves',
  header: 'Saves/month',
  unit: 'USD',
  value: ({ offer }) => offer.savings.amount_per_month,
  cell: ({ offer }) => (
    <span className="two-lines">
      <span className="good">{money(offer.savings.amount_per_month)}</span>
      <span>{percent(savedPercentOfMonth(offer))}</span>
      <span className="only-narrow">{money(offer.cost_per_month)} then</span>
    </span>
  ),
  number: true,
}

const pinColumn = (pins: readonly string[], onPin: (id: string) => void): Column<Candidate> => ({
  id: 'pin',
  header: 'Pin',
  value: () => null,
  action: true,
  cell: ({ id, offer }) => (
    <input
      type="checkbox"
      aria-label={`Pin ${offer.instance_type}, ${offer.provider}, ${offer.region}, ${paidAs(offer.usage_type, offer.term)}`}
      checked={pins.includes(id)}
      disabled={!pins.includes(id) && pins.length >= maxPins}
      onChange={() => onPin(id)}
    />
  ),
})

/** Shown only if they are chosen. */
const machineColumns: readonly Column<Candidate>[] = [
  {
    id: 'processor',
    header: 'Processor',
    value: ({ offer }) => offer.machine.processor,
  },
  {
    id: 'disk',
    header: 'Local disk (GiB)',
    value: ({ offer }) => offer.machine.local_disk?.gib ?? null,
    cell: ({ offer }) => gib(offer.machine.local_disk?.gib),
    number: true,
  },
  {
    id: 'network',
    header: 'Network (Gbit/s)',
    value: ({ offer }) => offer.machine.network?.max_gbps ?? null,
    cell: ({ offer }) => small(offer.machine.network?.max_gbps),
    number: true,
  },
  {
    id: 'carbon',
    header: 'CO₂e (g per hour)',
    value: ({ offer }) => offer.machine.carbon?.grams_co2e_per_hour ?? null,
    cell: ({ offer }) => small(offer.machine.carbon?.grams_co2e_per_hour),
    number: true,
  },
]
const moreColumns = machineColumns.map(({ id }) => id)

const factColumns = (currentCores: number | undefined) => [
  typeColumn,
  effortColumn,
  regionColumn,
  paymentColumn,
  coresColumn,
  memoryColumn,
  speedColumn(currentCores),
  priceDayColumn,
  monthColumn,
  savingsColumn,
  ...machineColumns,
]
