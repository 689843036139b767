import '../styles/recommendations.css'
import { AddressNotice } from '../parts/address-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { Updating } from '../parts/updating.tsx'
import { usePlace } from '../state/router.ts'
import { AdviceList } from './advice-list.tsx'
import { FacetList } from './facets.tsx'
import { type AdviceFilter, ignoredFilters, useAdviceFilter } from './filter.ts'
import { type AdvicePage, useRecommendations } from './queries.ts'
import { Sums } from './sums.tsx'
import { advicePeriod } from './words.ts'

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
        text={`From the ${advicePeriod}. Each dollar counts once: savings on the nodes of a cluster contain those of its containers.`}
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
          <div className={params.has('open') ? 'advice with-panel' : 'advice'}>
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
