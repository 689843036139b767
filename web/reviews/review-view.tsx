import { counted, day, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Empty, Notice } from '../parts/states.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { PlainTable } from '../parts/table/plain-table.tsx'
import { Tile } from '../parts/tile.tsx'
import {
  changeColumns,
  type OpenRow,
  openColumns,
  type SuggestionRow,
  suggestionColumns,
} from './columns.tsx'
import type { Review } from './queries.ts'

/** Shows the difference by resource, cheaper alternatives, and what has no price. */
export function ReviewView({ of }: { of: Review }) {
  const { totals, changes, unpriced, unknown, free } = of
  const suggestions = changes.flatMap(({ address, suggestions: found }): SuggestionRow[] =>
    found.map((suggestion, i) => ({ ...suggestion, id: `${address} ${i}`, address })),
  )
  const open: OpenRow[] = [
    ...unpriced.map((each) => ({ ...each, reason: each.reason })),
    ...unknown.map((each) => ({ ...each, reason: 'unknown resource type' })),
  ]
  const difference = totals.difference_per_month
  const possible = bestPerMachine(suggestions)
  return (
    <>
      <dl className="tiles">
        <Tile label="Before" value={money(totals.before_per_month)} note="per month" />
        <Tile label="After" value={money(totals.after_per_month)} note="per month" />
        <Tile
          label="Difference"
          value={`${difference > 0 ? '+' : ''}${money(difference)}`}
          note={`per month, ${counted(changes.length, 'priced resource')}`}
          tone={difference > 0 ? 'bad' : difference < 0 ? 'good' : undefined}
        />
        <Tile
          label="Possible savings"
          value={money(possible)}
          note="per month, the best suggestion of each machine"
          tone={possible > 0 ? 'good' : undefined}
        />
      </dl>
      {open.length > 0 && (
        <Notice
          tone="warning"
          title={`${counted(open.length, 'resource')} without a price, not in the totals`}
        >
          They are listed below.
        </Notice>
      )}
      {of.price_days?.is_old === true && (
        <Notice
          tone="warning"
          title={`Some prices are older than ${of.price_days.is_outdated ? 'a year' : '60 days'}`}
        >
          The oldest is from {day(of.price_days.oldest)}.
          {of.price_days.is_outdated && ' Ask the provider before acting on them.'}
        </Notice>
      )}
      {changes.length === 0 ? (
        <Empty
          icon="document"
          title="Nothing in the plan has a price"
          text="The plan has no machine that costs money."
        />
      ) : (
        <DataTable
          name="review"
          caption="Priced resources"
          columns={changeColumns}
          rows={changes}
          rowId={({ plan, address }) => `${plan} ${address}`}
          firstSort={dearestFirst}
          tools={<DownloadReview of={of} />}
        />
      )}
      {suggestions.length > 0 && (
        <section className="table-card" aria-label="Cheaper alternatives">
          <div className="table-tools">
            <h2>Cheaper alternatives</h2>
          </div>
          <PlainTable
            caption="Cheaper alternatives"
            columns={suggestionColumns}
            rows={suggestions}
            rowId={({ id }) => id}
          />
        </section>
      )}
      {open.length > 0 && (
        <section className="table-card" aria-label="Without a price">
          <div className="table-tools">
            <h2>Without a price</h2>
          </div>
          <PlainTable
            caption="Without a price"
            columns={openColumns}
            rows={open}
            rowId={({ plan, address }) => `${plan} ${address}`}
          />
        </section>
      )}
      {free.length > 0 && <p className="note">{counted(free.length, 'resource')} known to cost nothing.</p>}
    </>
  )
}

const dearestFirst = { id: 'difference', desc: true }

/** Only one suggestion per machine counts, because the others exclude it. */
function bestPerMachine(suggestions: readonly SuggestionRow[]): number {
  const best = new Map<string, number>()
  for (const { address, replaces, savings_per_month } of suggestions) {
    const machine = `${address} ${replaces}`
    best.set(machine, Math.max(best.get(machine) ?? 0, savings_per_month))
  }
  return [...best.values()].reduce((sum, saved) => sum + saved, 0)
}

function DownloadReview({ of }: { of: Review }) {
  return (
    <button
      type="button"
      className="button"
      onClick={() =>
        saveFile('cheapside-review.json', `${JSON.stringify(of, null, 2)}\n`, 'application/json')
      }
    >
      <Icon name="download" size={16} /> JSON
    </button>
  )
}
