import '../styles/recommendations.css'
import { AddressNotice } from '../parts/address-notice.tsx'
import { counted, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { Term } from '../parts/term.tsx'
import { Tile } from '../parts/tile.tsx'
import { Updating } from '../parts/updating.tsx'
import { usePlace } from '../state/router.ts'
import { AdviceList } from './advice-list.tsx'
import { FacetList } from './facets.tsx'
import { type AdviceFilter, ignoredFilters, useAdviceFilter } from './filter.ts'
import { type AdvicePage, useRecommendations } from './queries.ts'
import { advicePeriod, summedCount } from './words.ts'

/** Lists everything that could cost less. */
export default function RecommendationsPage() {
  const { params } = usePlace()
  const filter = useAdviceFilter()
  const asked = useRecommendations(filter)
  const pages = asked.data?.pages
  const first = pages?.[0]
  const isOld = asked.isPlaceholderData
  return (
    <>
      <PageHead
        title="Recommendations"
        text={`Container sizes, machines to replace, cluster nodes and idle resources, based on the ${advicePeriod}.`}
      />
      <AddressNotice ignored={ignoredFilters(params)} />
      {asked.isPending && <Skeleton lines={8} label="Loading recommendations" />}
      {asked.error !== null && first === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      {first !== undefined && (
        <>
          <Updating isOld={isOld} label="Loading recommendations">
            <Sums page={first} />
          </Updating>
          <div className="advice">
            <Narrowing page={first} filter={filter} isOld={isOld} />
            <AdviceList
              filter={filter}
              rows={pages!.flatMap((page) => page.recommendations)}
              page={first}
              isOld={isOld}
              more={
                asked.hasNextPage && (
                  <>
                    {asked.isFetchNextPageError && <Trouble error={asked.error} />}
                    <button
                      type="button"
                      className="button"
                      disabled={asked.isFetchingNextPage}
                      onClick={() => void asked.fetchNextPage()}
                    >
                      {asked.isFetchingNextPage ? 'Loading…' : 'Show more'}
                    </button>
                  </>
                )
              }
            />
          </div>
        </>
      )}
    </>
  )
}

function Sums({ page }: { page: AdvicePage }) {
  const { totals, realised } = page
  return (
    <dl className="tiles">
      {(totals.worth_per_month !== 0 || totals.nodes_per_month === 0) && (
        <Tile
          label="Possible savings"
          value={money(totals.worth_per_month)}
          note={`per month, ${summedCount(page)}`}
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

interface NarrowingProps {
  readonly page: AdvicePage
  readonly filter: AdviceFilter
  readonly isOld: boolean
}

/** Filters can be changed while rows are loaded; only their counts are old. */
function Narrowing({ page, filter, isOld }: NarrowingProps) {
  const isNarrow = matchMedia('(width < 1080px)').matches
  return (
    <details className="facets-box" open={!isNarrow} aria-busy={isOld}>
      <summary>
        <Icon name="list" size={16} /> Filters
      </summary>
      <FacetList facets={page.facets} filter={filter} />
    </details>
  )
}
