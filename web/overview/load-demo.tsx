import '../styles/load-demo.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { session } from '../api/session.ts'
import { Icon } from '../parts/icon.tsx'
import { Trouble } from '../parts/states.tsx'
import { RemoveDemo } from '../session/remove-demo.tsx'
import { enterDemo } from '../session/session-requests.ts'
import { useSignal } from '../state/signal.ts'

/**
 * Loads demo data for users who want to look around first. It needs an administrator, since it adds an organisation.
 */
export function LoadDemo() {
  const mayLoad = useSignal(session.state).record?.scopes.includes('admin') ?? false
  const loaded = useQuery({
    queryKey: ['demo'],
    queryFn: ({ signal }) => answer(service.GET('/admin/demo', { signal })),
    enabled: mayLoad,
    refetchInterval: ({ state }) => (state.data?.is_loading ? 2000 : false),
  })
  const load = useMutation({ mutationFn: enterDemo })
  const isLoading = load.isPending || (loaded.data?.is_loading ?? false)
  if (!mayLoad) return <p className="note">An administrator can load demo data to look around.</p>
  const isLoaded = (loaded.data?.loaded_until ?? null) !== null
  const what = isLoaded ? 'Open demo data' : 'Load demo data'
  return (
    <div className="load-demo">
      <button type="button" className="button" disabled={isLoading} onClick={() => load.mutate()}>
        <Icon name="chart" size={16} /> {isLoading ? 'Loading demo data…' : what}
      </button>
      {isLoaded && <RemoveDemo onRemoved={() => loaded.refetch()} />}
      <p className="note">
        Two clusters and six machines with 30 days of usage, in an organisation of their own. It can be
        removed at any time.
      </p>
      {load.error !== null && <Trouble error={load.error} />}
    </div>
  )
}
