import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { session } from '../api/session.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Trouble } from '../parts/states.tsx'
import { useSignal } from '../state/signal.ts'

const queryKey = ['shared-views']

/** Views that everyone in the organisation sees, and the button that shares this one. */
export default function SharedViews({ name, onDone }: { name: string; onDone: () => void }) {
  const queries = useQueryClient()
  const mayShare = useSignal(session.state).record?.scopes.includes('gateway:write') ?? false
  const { data: views = [], error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => answer(service.GET('/v1/views', { signal })),
  })
  const change = useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined
        ? answer(service.POST('/v1/views', { body: { name, address: location.pathname + location.search } }))
        : answer(service.DELETE('/v1/views/{id}', { params: { path: { id } } })),
    onSuccess: (_, id) => {
      if (id === undefined) onDone()
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  const failed = change.error ?? error
  return (
    <>
      {mayShare && (
        <button
          type="button"
          className="button"
          disabled={name === '' || change.isPending}
          onClick={() => change.mutate(undefined)}
        >
          <Icon name="upload" size={15} /> Share with your organisation
        </button>
      )}
      {failed !== null && <Trouble error={failed} />}
      {views.length > 0 && (
        <>
          <span className="field-label">Shared in your organisation</span>
          <ul className="views" aria-label="Shared views">
            {views.map(({ id, name: shared, address, by }) => (
              <li key={id}>
                <Link href={address} title={`Shared by ${by}`} onClick={onDone}>
                  {shared}
                </Link>
                {mayShare && (
                  <button
                    type="button"
                    className="button plain"
                    aria-label={`Stop sharing ${shared}`}
                    onClick={() => change.mutate(id)}
                  >
                    <Icon name="close" size={15} />
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
