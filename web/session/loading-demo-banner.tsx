import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { answer, service } from '../api/client.ts'
import { demoOrganisation } from '../api/demo.ts'
import type { KeyRecord } from '../api/session.ts'
import { Icon } from '../parts/icon.tsx'

const lookEveryMs = 2000

/** Shown on every page while the demo's data is being loaded, because all figures are partial until then. */
export function LoadingDemoBanner({ record }: { record: KeyRecord }) {
  const queries = useQueryClient()
  const asked = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => answer(service.GET('/v1/settings', { signal })),
    enabled: record.organisation === demoOrganisation,
    refetchInterval: ({ state }) => (state.data?.is_loading_demo ? lookEveryMs : 600_000),
  })
  const isLoading = asked.data?.is_loading_demo ?? false
  const wasLoading = useRef(false)
  useEffect(() => {
    if (wasLoading.current && !isLoading) void queries.invalidateQueries()
    wasLoading.current = isLoading
  }, [isLoading, queries])
  return (
    <div role="status" aria-live="polite">
      {isLoading && (
        <div className="away">
          <Icon name="warning" />
          <span>
            <b>Demo data is still loading.</b> All figures are partial until it is complete; this page then
            updates by itself.
          </span>
        </div>
      )}
    </div>
  )
}
