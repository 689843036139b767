import { useMemo } from 'react'
import { placeNow, setParams, usePlace } from '../../state/router.ts'

export interface TableState {
  readonly sort: { readonly id: string; readonly desc: boolean } | undefined
  readonly filter: string
  /** Counted from 0. */
  readonly page: number
}

/** Sorting, filter and page of a table, stored in the address under the table's name. */
export function useTableState(
  name: string,
  firstSort?: TableState['sort'],
): [TableState, (next: Partial<TableState>) => void] {
  const { params } = usePlace()
  const [sort, filter, page] = [
    params.get(`${name}.sort`),
    params.get(`${name}.q`),
    params.get(`${name}.page`),
  ]
  const state = useMemo(
    () => ({
      sort: sort === null ? firstSort : { id: sort.replace(/^-/, ''), desc: sort.startsWith('-') },
      filter: filter ?? '',
      page: Math.max(0, Number.parseInt(page ?? '1', 10) - 1) || 0,
    }),
    [sort, filter, page, firstSort],
  )
  const change = (next: Partial<TableState>) => {
    const changes: Record<string, string | undefined> = {}
    if (next.sort !== undefined) changes[`${name}.sort`] = `${next.sort.desc ? '-' : ''}${next.sort.id}`
    if (next.filter !== undefined) changes[`${name}.q`] = next.filter === '' ? undefined : next.filter
    // Another order or filter starts at the first page.
    const to = next.page ?? 0
    changes[`${name}.page`] = to === 0 ? undefined : String(to + 1)
    // Only the first letter of a filter adds to the browser history.
    const typing = next.filter !== undefined && placeNow().params.has(`${name}.q`)
    setParams(changes, typing ? 'replace' : 'push')
  }
  return [state, change]
}
