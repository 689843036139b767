import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { session } from '../api/session.ts'
import { Breadcrumb } from '../parts/breadcrumb.tsx'
import { counted, moment, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { addressOf } from '../state/router.ts'
import { useSignal } from '../state/signal.ts'
import { differenceColumn } from './columns.tsx'
import type { Review } from './queries.ts'
import { ReviewView } from './review-view.tsx'

type SavedReview = paths['/v1/reviews/saved']['get']['responses'][200]['content']['application/json'][number]

const key = ['saved-reviews']

const useMaySave = (): boolean => useSignal(session.state).record?.scopes.includes('gateway:write') ?? false

/** Keeps a review under a name that others recognise. */
export function SaveReview({ of, file }: { of: Review; file: string }) {
  const queries = useQueryClient()
  const [name, setName] = useState(file)
  const save = useMutation({
    mutationFn: () => {
      const { before_per_month, after_per_month } = of.totals
      const body = { name: name.trim(), before_per_month, after_per_month }
      return answer(
        service.POST('/v1/reviews/saved', {
          body: { ...body, unpriced: of.unpriced.length + of.unknown.length, review: of },
        }),
      )
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  })
  if (!useMaySave()) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className="save-review" aria-label="Save the review" onSubmit={submit}>
      <label className="field">
        <span className="field-label">Save the review as</span>
        <input value={name} required maxLength={256} onChange={(event) => setName(event.target.value)} />
      </label>
      <button type="submit" className="button" disabled={save.isPending || save.isSuccess}>
        <Icon name={save.isSuccess ? 'check' : 'bookmark'} size={16} /> {save.isSuccess ? 'Saved' : 'Save'}
      </button>
      {save.error !== null && <Trouble error={save.error} />}
    </form>
  )
}

/** Shows a saved review as it was. */
export function SavedReviewView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...key, id],
    queryFn: ({ signal }) =>
      answer(service.GET('/v1/reviews/saved/{id}', { params: { path: { id } }, signal })),
  })
  return (
    <>
      <Breadcrumb
        crumbs={[{ name: 'Reviews', href: addressOf(['reviews']) }, { name: data?.name ?? 'Saved review' }]}
      />
      {error !== null && <Trouble error={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={8} label="Loading the review" />}
      {data !== undefined && (
        <>
          <PageHead
            title={data.name}
            text={`Saved ${moment(data.at)} by ${data.by}, at the prices of that time`}
          />
          {data.review === null ? (
            <Empty
              icon="document"
              title="Only the totals of this review are kept"
              text={`${money(data.before_per_month)} a month before, ${money(data.after_per_month)} after.`}
            />
          ) : (
            <ReviewView of={data.review as unknown as Review} />
          )}
        </>
      )}
    </>
  )
}

/** Lists what the organisation has reviewed, from this page and from pipelines. */
export function SavedReviews() {
  const queries = useQueryClient()
  const maySave = useMaySave()
  const asked = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => answer(service.GET('/v1/reviews/saved', { signal })),
  })
  const remove = useMutation({
    mutationFn: (id: string) =>
      answer(service.DELETE('/v1/reviews/saved/{id}', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
  if (asked.error !== null) return <Trouble error={asked.error} again={() => void asked.refetch()} />
  if (asked.data === undefined || asked.data.length === 0) return null
  return (
    <section className="past-reviews">
      <h2>Saved reviews</h2>
      <p className="note">
        What your organisation saved here or with cheapside review --save: the last 500 of 400 days. Plans are
        not kept, only resources and their prices.
      </p>
      {remove.error !== null && <Trouble error={remove.error} />}
      <DataTable
        name="saved"
        caption="Saved reviews"
        columns={maySave ? [...columns, removeColumn(remove.mutate)] : columns}
        rows={asked.data}
        rowId={({ id }) => id}
        firstSort={latestFirst}
      />
    </section>
  )
}

const latestFirst = { id: 'at', desc: true }

const columns: readonly Column<SavedReview>[] = [
  {
    id: 'name',
    header: 'Review',
    value: ({ name }) => name,
    cell: ({ id, name, unpriced, has_resources }) => (
      <span className="two-lines whole-name">
        {has_resources ? <Link href={addressOf(['reviews', id])}>{name}</Link> : <b>{name}</b>}
        {unpriced > 0 && <span>{counted(unpriced, 'resource')} without a price</span>}
      </span>
    ),
    fill: true,
  },
  { id: 'at', header: 'Saved', value: ({ at }) => at, cell: ({ at }) => moment(at) },
  { id: 'by', header: 'By', value: ({ by }) => by, minor: true },
  {
    id: 'after',
    header: 'After/month',
    unit: 'USD',
    value: ({ after_per_month }) => after_per_month,
    cell: ({ after_per_month }) => money(after_per_month),
    number: true,
    minor: true,
  },
  differenceColumn,
]

const removeColumn = (remove: (id: string) => void): Column<SavedReview> => ({
  id: 'remove',
  header: 'Remove',
  action: true,
  value: () => '',
  cell: ({ id, name }) => (
    <button type="button" className="button plain" aria-label={`Remove ${name}`} onClick={() => remove(id)}>
      <Icon name="close" size={15} />
    </button>
  ),
})
