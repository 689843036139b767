import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answer, service } from '../api/client.ts'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { type Action, keyColumns } from './columns.tsx'
import { IssueDialog } from './issue-dialog.tsx'
import { RevokeDialog, RotateDialog } from './key-dialogs.tsx'
import { SecretDialog } from './secret-dialog.tsx'

/** Manages the keys of the service, for administrators. */
export default function KeysPage() {
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await answer(service.GET('/admin/keys', { signal }))).keys,
  })
  const [open, setOpen] = useState<Action | { what: 'issue' }>()
  /** The new key is held only here, until the dialogue is closed. */
  const [secret, setSecret] = useState<string>()
  const columns = useMemo(() => keyColumns(setOpen), [])
  const organisations = useMemo(
    () => [...new Set(keys.data?.map(({ organisation }) => organisation))].sort(),
    [keys.data],
  )
  const close = () => setOpen(undefined)
  const shown = (key: string) => {
    setOpen(undefined)
    setSecret(key)
  }

  return (
    <>
      <PageHead title="Keys" text="Who may use the service, and for what.">
        <button type="button" className="button primary" onClick={() => setOpen({ what: 'issue' })}>
          <Icon name="plus" size={16} /> Issue a key
        </button>
      </PageHead>
      {keys.isPending && <Skeleton label="Loading keys" />}
      {keys.error !== null && keys.data === undefined && (
        <Trouble error={keys.error} again={() => void keys.refetch()} />
      )}
      {keys.data !== undefined && (
        <DataTable
          name="keys"
          caption="Keys"
          columns={columns}
          rows={keys.data}
          rowId={({ id }) => id}
          rowClass={({ state }) => (state === 'active' || state === 'rotating' ? undefined : 'faded')}
        />
      )}
      {open?.what === 'issue' && <IssueDialog organisations={organisations} onDone={shown} onClose={close} />}
      {open?.what === 'rotate' && <RotateDialog of={open.of} onDone={shown} onClose={close} />}
      {open?.what === 'revoke' && <RevokeDialog of={open.of} onClose={close} />}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
