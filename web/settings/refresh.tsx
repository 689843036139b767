import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { ago } from '../parts/figures.ts'
import { Trouble } from '../parts/states.tsx'

const lookEveryMs = 2000
const states = {
  none: '',
  running: 'Refreshing prices…',
  done: 'Refreshed',
  elsewhere: 'Another node is refreshing the prices.',
  failed: 'The refresh failed; see the log of the service.',
} as const

/** Lets administrators start a price refresh, and shows its progress. */
export function RefreshPrices() {
  const queries = useQueryClient()
  const state = useQuery({
    queryKey: ['price-refresh'],
    queryFn: ({ signal }) => answer(service.GET('/admin/prices/refresh', { signal })),
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? lookEveryMs : false),
  })
  const start = useMutation({
    mutationFn: () => answer(service.POST('/admin/prices/refresh', { body: {} })),
    onSuccess: (begun) => queries.setQueryData(['price-refresh'], begun),
  })
  const now = state.data?.state ?? 'none'
  return (
    <div className="setting-field">
      <button
        type="button"
        className="button"
        disabled={now === 'running' || start.isPending}
        onClick={() => start.mutate()}
      >
        Refresh prices now
      </button>
      <span className="note" aria-live="polite">
        {states[now]}
        {now === 'done' && ` ${ago(state.data?.finished_at, Date.now())}`}
      </span>
      {start.error !== null && <Trouble error={start.error} />}
    </div>
  )
}
