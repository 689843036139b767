import '../styles/recommendations.css'
import { useEffect, useRef } from 'react'
import { AddressNotice } from '../parts/address-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { Updating } from '../parts/updating.tsx'
import { usePlace } from '../state/router.ts'
import { FacetList } from './facets.tsx'
import { ignoredFilters, type RecommendationFilter, useRecommendationFilter } from './filter.ts'
import { type RecommendationPage, useRecommendations } from './queries.ts'
import { RecommendationList } from './recommendation-list.tsx'
import { Sums } from './sums.tsx'
import { recommendationPeriod } from './words.ts'

/** Lists everything that could cost less. */
export default function RecommendationsPage() {
  const { params } = usePlace()
  const filter = useRecommendationFilter()
  const asked = useRecommendations(filter)
  const pages = asked.data?.pages
  const first = pages?.[0]
  const isOld = asked.isPlaceholderData
  return (
    <>
      <PageHead
        title="Recommendations"
        text={`From the ${recommendationPeriod}. Each dollar counts once: savings on the nodes of a cluster contain those of its containers.`}
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
          <div className={params.has('open') ? 'recommendation with-panel' : 'recommendation'}>
            <Narrowing page={first} filter={filter} isOld={isOld} />
            <RecommendationList
              filter={filter}
              rows={pages!.flatMap((page) => page.recommendations)}
              page={first}
              isOld={isOld}
              more={
                asked.hasNextPage && (
                  <>
                    {asked.isFetchNextPageError && <Trouble error={asked.error} />}
                    <ShowMore
                      isLoading={asked.isFetchingNextPage}
                      hasFailed={asked.isFetchNextPageError}
                      onShow={asked.fetchNextPage}
                    />
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

interface ShowMoreProps {
  readonly isLoading: boolean
  readonly hasFailed: boolean
  readonly onShow: () => unknown
}

/** Loads more rows when it is scrolled to, or pressed after a failure. */
function ShowMore({ isLoading, hasFailed, onShow }: ShowMoreProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isWaiting = !isLoading && !hasFailed
  useEffect(() => {
    if (!isWaiting) return
    const seen = new IntersectionObserver(([entry]) => entry!.isIntersecting && onShow(), {
      rootMargin: '600px',
    })
    seen.observe(button.current!)
    return () => seen.disconnect()
  }, [isWaiting, onShow])
  return (
    <button ref={button} type="button" className="button" disabled={isLoading} onClick={() => onShow()}>
      {isLoading ? 'Loading…' : 'Show more'}
    </button>
  )
}

interface NarrowingProps {
  readonly page: RecommendationPage
  readonly filter: RecommendationFilter
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
