import '../styles/recommendations.css'
import { useMemo, useState } from 'react'
import { setParams } from '../app/router.ts'
import { counted, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import { Term } from '../parts/term.tsx'
import { Tile } from '../parts/tile.tsx'
import { AdviceTable } from './advice-table.tsx'
import { FacetList } from './facets.tsx'
import { type AdviceFilter, useAdviceFilter } from './filter.ts'
import { type Advice, type AdvicePage, useRecommendations } from './queries.ts'
import { SelectionBar } from './selection-bar.tsx'

/** Lists everything that could cost less. */
export default function RecommendationsPage() {
  const filter = useAdviceFilter()
  const asked = useRecommendations(filter)
  const pages = asked.data?.pages
  const first = pages?.[0]
  return (
    <>
      <PageHead
        title="Recommendations"
        text="Container sizes, machines to replace, cluster nodes and idle resources, based on the last 14 days."
      />
      {asked.isPending && <Skeleton lines={8} label="Loading recommendations" />}
      {asked.error !== null && first === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      {first !== undefined && (
        <>
          <Sums page={first} />
          <div className="advice">
            <Narrowing page={first} filter={filter} />
            <AdviceList
              key={JSON.stringify(filter)}
              rows={pages!.flatMap((page) => page.recommendations)}
              page={first}
              more={
                asked.hasNextPage && (
                  <button
                    type="button"
                    className="button"
                    disabled={asked.isFetchingNextPage}
                    onClick={() => void asked.fetchNextPage()}
                  >
                    {asked.isFetchingNextPage ? 'Loading…' : 'Show more'}
                  </button>
                )
              }
            />
          </div>
        </>
      )}
    </>
  )
}

function Sums({ page: { totals, realised } }: { page: AdvicePage }) {
  return (
    <dl className="tiles">
      {(totals.worth_per_month !== 0 || totals.nodes_per_month === 0) && (
        <Tile
          label="Possible savings"
          value={money(totals.worth_per_month)}
          note={`per month, ${counted(totals.count, 'recommendation')}`}
          tone={totals.worth_per_month > 0 ? 'good' : undefined}
        />
      )}
      {totals.nodes_per_month > 0 && (
        <Tile
          label="On cluster nodes"
          value={money(totals.nodes_per_month)}
          note="per month, with fewer or other nodes, including savings by container sizes"
          tone="good"
        />
      )}
      <Tile
        label="Estimated part"
        value={money(totals.estimated_per_month)}
        note={
          <>
            per month, estimated at <Term of="base rates" />
          </>
        }
      />
      <Tile
        label="Realised"
        value={money(realised.per_month)}
        note={`per month, ${counted(realised.count, 'recommendation')} applied`}
        tone={realised.per_month > 0 ? 'good' : undefined}
      />
      <Tile
        label="Saved so far"
        value={money(realised.total)}
        note={
          realised.since === null ? 'nothing was applied yet' : 'since they were applied, for at most a year'
        }
      />
    </dl>
  )
}

function Narrowing({ page, filter }: { page: AdvicePage; filter: AdviceFilter }) {
  const isNarrow = matchMedia('(width < 1080px)').matches
  return (
    <details className="facets-box" open={!isNarrow}>
      <summary>
        <Icon name="list" size={16} /> Filters
      </summary>
      <FacetList facets={page.facets} filter={filter} />
    </details>
  )
}

function AdviceList({
  rows,
  page,
  more,
}: {
  rows: readonly Advice[]
  page: AdvicePage
  more: React.ReactNode
}) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids])
  const choose = (changed: readonly string[], isChosen: boolean) => {
    const next = new Set(ids)
    for (const id of changed) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setIds(next)
  }
  const { totals, left_out } = page
  return (
    <section className="table-card advice-list" aria-label="Recommendations">
      {chosen.length > 0 ? (
        <SelectionBar chosen={chosen} onClear={() => setIds(new Set())} />
      ) : (
        <div className="table-tools">
          <Search />
          <span className="note" aria-live="polite">
            {rows.length === totals.count
              ? counted(totals.count, 'recommendation')
              : `${rows.length} of ${counted(totals.count, 'recommendation')}`}
          </span>
        </div>
      )}
      {rows.length === 0 ? (
        <Empty
          icon="check"
          title="Nothing to recommend here"
          text="Nothing matches these filters. Containers need six hours of usage, machines a day."
        />
      ) : (
        <AdviceTable rows={rows} chosen={ids} onChoose={choose} />
      )}
      {(more || left_out.count > 0) && (
        <div className="table-more">
          {more}
          {left_out.count > 0 && (
            <span className="note">
              {counted(left_out.count, 'recommendation')} with the smallest savings left out (
              {money(left_out.worth_per_month)} per month).
            </span>
          )}
        </div>
      )}
    </section>
  )
}

function Search() {
  const filter = useAdviceFilter()
  return (
    <label className="search">
      <Icon name="search" size={16} />
      <span className="visually-hidden">Search recommendations</span>
      <input
        type="search"
        placeholder="Search"
        value={filter.q ?? ''}
        maxLength={200}
        onChange={({ target: { value } }) => setParams({ q: value === '' ? undefined : value }, 'replace')}
      />
    </label>
  )
}
