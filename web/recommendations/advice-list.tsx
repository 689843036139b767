import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { setParams } from '../app/router.ts'
import { counted, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty } from '../parts/states.tsx'
import { Updating } from '../parts/updating.tsx'
import { AdviceTable } from './advice-table.tsx'
import { type AdviceFilter, useAdviceFilter } from './filter.ts'
import type { Advice, AdvicePage } from './queries.ts'
import { SelectionBar } from './selection-bar.tsx'

interface Props {
  readonly filter: AdviceFilter
  readonly rows: readonly Advice[]
  readonly page: AdvicePage
  /** Whether the rows are those of the previous filter. */
  readonly isOld: boolean
  readonly more: ReactNode
}

/** Lists recommendations, of which several can be selected at a time. */
export function AdviceList({ filter, rows, page, isOld, more }: Props) {
  const { ids, choose } = useSelection(JSON.stringify(filter))
  const chosen = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids])
  const list = useFocusAfter(chosen.length > 0)
  const { totals, left_out } = page
  return (
    <section ref={list} tabIndex={-1} className="table-card advice-list" aria-label="Recommendations">
      {chosen.length > 0 ? (
        <SelectionBar chosen={chosen} onClear={(cleared) => choose(cleared, false)} />
      ) : (
        <div className="table-tools">
          <Search />
          <span className="note" aria-live="polite">
            {isOld
              ? 'Loading…'
              : rows.length === totals.count
                ? counted(totals.count, 'recommendation')
                : `${rows.length} of ${counted(totals.count, 'recommendation')}`}
          </span>
        </div>
      )}
      <Updating isOld={isOld}>
        {rows.length === 0 ? (
          <Empty
            icon="check"
            title="Nothing to recommend here"
            text="Nothing matches these filters. Containers need six hours of usage, machines a day."
          />
        ) : (
          <AdviceTable rows={rows} chosen={ids} onChoose={choose} />
        )}
        {(more || left_out.count > 0) && (
          <div className="table-more">
            {more}
            {left_out.count > 0 && (
              <span className="note">
                {counted(left_out.count, 'recommendation')} with the smallest savings left out (
                {money(left_out.worth_per_month)} per month).
              </span>
            )}
          </div>
        )}
      </Updating>
    </section>
  )
}

/**
 * Returns the selected ids, which are only those selected under the current filter. Ids that were decided are deselected
 * when the list has been loaded again; others may have been selected meanwhile.
 */
function useSelection(filter: string) {
  const [selected, setSelected] = useState({ filter, ids: none })
  const choose = (changed: readonly string[], isChosen: boolean) =>
    setSelected((before) => {
      if (!isChosen) return { ...before, ids: new Set([...before.ids].filter((id) => !changed.includes(id))) }
      return { filter, ids: new Set([...(before.filter === filter ? before.ids : none), ...changed]) }
    })
  return { ids: selected.filter === filter ? selected.ids : none, choose }
}

/** Returns a ref to the list, which gets the focus if that was on an action that is no longer shown. */
function useFocusAfter(hasActions: boolean): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null)
  const hadActions = useRef(false)
  useEffect(() => {
    const isLost = hadActions.current && !hasActions && document.activeElement === document.body
    if (isLost) list.current?.focus({ preventScroll: true })
    hadActions.current = hasActions
  }, [hasActions])
  return list
}

const none: ReadonlySet<string> = new Set()

function Search() {
  const filter = useAdviceFilter()
  return (
    <label className="search">
      <Icon name="search" size={16} />
      <span className="visually-hidden">Search recommendations</span>
      <input
        type="search"
        placeholder="Search"
        value={filter.q ?? ''}
        maxLength={200}
        onChange={({ target: { value } }) => setParams({ q: value === '' ? undefined : value }, 'replace')}
      />
    </label>
  )
}
