import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import '../styles/marketplace.css'
import { answer, service } from '../api/client.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { addressOf } from '../state/router.ts'
import { ProviderView } from './provider-view.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { UploadDialog } from './upload-dialog.tsx'
import { useMayWrite } from './use-may-write.ts'

interface OwnProvider {
  readonly name: string
  readonly services: readonly string[]
}

/** Shows the prices that the organisation has registered. */
export default function MarketplacePage({ rest }: { rest: readonly string[] }) {
  return rest[0] === undefined ? <Providers /> : <ProviderView key={rest[0]} name={rest[0]} />
}

function Providers() {
  const listed = useQuery({
    queryKey: ['marketplace'],
    queryFn: ({ signal }) => answer(service.GET('/marketplace/providers', { signal })),
  })
  const mayWrite = useMayWrite()
  const [uploading, setUploading] = useState(false)
  const [removing, setRemoving] = useState<string>()
  const providers = useMemo(() => byName(listed.data?.providers ?? []), [listed.data])
  const columns = useMemo(() => columnsFor(mayWrite, setRemoving), [mayWrite])
  const upload = (
    <button type="button" className="button primary" onClick={() => setUploading(true)}>
      <Icon name="upload" size={16} /> Upload prices
    </button>
  )

  return (
    <>
      <PageHead
        title="Your prices"
        text="Your own prices, compared with all others. Only your organisation sees them."
      >
        {mayWrite && providers.length > 0 && upload}
      </PageHead>
      {listed.isPending && <Skeleton label="Loading providers" />}
      {listed.error !== null && listed.data === undefined && (
        <Trouble error={listed.error} again={() => void listed.refetch()} />
      )}
      {listed.data !== undefined && providers.length === 0 && (
        <Empty
          icon="store"
          title="You have not uploaded prices"
          text={
            mayWrite
              ? 'Upload a CSV file with your prices to include them in every comparison.'
              : 'Your organisation has not registered any prices. Registering needs a key with the scope marketplace:write.'
          }
        >
          {mayWrite && upload}
        </Empty>
      )}
      {providers.length > 0 && (
        <DataTable
          name="marketplace"
          caption="Registered providers"
          columns={columns}
          rows={providers}
          rowId={({ name }) => name}
        />
      )}
      {uploading && <UploadDialog onClose={() => setUploading(false)} />}
      {removing !== undefined && <RemoveDialog name={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

function byName(items: readonly { provider: string; service: string }[]): OwnProvider[] {
  return [...Map.groupBy(items, ({ provider }) => provider)].map(([name, of]) => ({
    name,
    services: of.map(({ service: each }) => each),
  }))
}

function columnsFor(mayWrite: boolean, onRemove: (name: string) => void): readonly Column<OwnProvider>[] {
  return [
    {
      id: 'provider',
      header: 'Provider',
      value: ({ name }) => name,
      cell: ({ name }) => <Link href={addressOf(['prices', 'yours', name])}>{name}</Link>,
    },
    { id: 'services', header: 'Services', value: ({ services }) => services.join(', '), minor: true },
    ...(mayWrite
      ? [
          {
            id: 'actions',
            header: 'Change',
            value: () => null,
            action: true,
            cell: ({ name }: OwnProvider) => (
              <button type="button" className="button danger" onClick={() => onRemove(name)}>
                <Icon name="trash" size={15} /> Remove<span className="visually-hidden"> {name}</span>
              </button>
            ),
          },
        ]
      : []),
  ]
}
