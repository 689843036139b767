import { counted, day, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Empty, Notice } from '../parts/states.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { PlainTable } from '../parts/table/plain-table.tsx'
import { Tile } from '../parts/tile.tsx'
import { changeColumns, type OpenRow, openColumns, suggestionColumns, suggestionRows } from './columns.tsx'
import type { Review } from './queries.ts'

/** Shows the difference by resource, cheaper alternatives, and what has no price. */
export function ReviewView({ of }: { of: Review }) {
  const { totals, changes, unpriced, unknown, free } = of
  const suggestions = changes.flatMap(suggestionRows)
  const open: OpenRow[] = [
    ...unpriced.map((each) => ({ ...each, reason: each.reason })),
    ...unknown.map((each) => ({ ...each, reason: 'unknown resource type' })),
  ]
  const difference = totals.difference_per_month
  const possible = totals.possible_savings_per_month
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
          note="per month, the best suggestion of each machine and disk"
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
          {of.price_days.is_outdated
            ? `Ask the provider before acting on ${outdatedNames(of.price_days.outdated)}.`
            : `The oldest is from ${day(of.price_days.oldest)}.`}
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

const maxNames = 6
const outdatedNames = (names: readonly string[]): string =>
  [
    names.slice(0, maxNames).join('; '),
    ...(names.length > maxNames ? [`${names.length - maxNames} more`] : []),
  ].join(' and ')

const dearestFirst = { id: 'difference', desc: true }

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
