import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { counted, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty } from '../parts/states.tsx'
import { Updating } from '../parts/updating.tsx'
import { placeNow, setParams, usePlace } from '../state/router.ts'
import { type RecommendationFilter, useRecommendationFilter } from './filter.ts'
import type { Recommendation, RecommendationPage } from './queries.ts'
import { RecommendationPanel } from './recommendation-panel.tsx'
import { RecommendationTable } from './recommendation-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useDecisions } from './use-decisions.tsx'
import { titleOf, useRecommendationKeys } from './use-recommendation-keys.ts'

interface Props {
  readonly filter: RecommendationFilter
  readonly rows: readonly Recommendation[]
  readonly page: RecommendationPage
  /** Whether the rows are those of the previous filter. */
  readonly isOld: boolean
  readonly more: ReactNode
}

/** Lists recommendations, of which several can be selected at a time, and one is open in the side panel. */
export function RecommendationList({ filter, rows, page, isOld, more }: Props) {
  const open = usePlace().params.get('open') ?? undefined
  const { ids, choose } = useSelection(JSON.stringify(filter))
  const chosen = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids])
  const undone = useRef<string>(undefined)
  const decisions = useDecisions(
    ({ before }) =>
      choose(
        before.map(({ id }) => id),
        false,
      ),
    (id) => {
      undone.current = id
    },
  )
  useEffect(() => {
    const row = undone.current === undefined ? undefined : titleOf(undone.current)
    if (row === undefined) return
    undone.current = undefined
    row.focus()
  })
  const list = useFocusAfter(chosen.length > 0)
  const close = () => setParams({ open: undefined }, 'push')
  // The keys mean everything that is selected, or else one recommendation.
  const meant = (id: string) => (chosen.length > 0 ? chosen : rows.filter((row) => row.id === id))
  useRecommendationKeys(
    {
      // A key is pressed by mistake more easily than a button.
      accept: (id) => {
        const isRisky = meant(id).some(({ risk }) => risk === 'high')
        if (isRisky) decisions.ask('accepted', meant(id))
        else decisions.accept(meant(id))
      },
      dismiss: (id) => decisions.ask('dismissed', meant(id)),
      snooze: (id) => decisions.ask('snoozed', meant(id)),
      choose: (id) => choose([id], !ids.has(id)),
      moved: (id) => {
        if (placeNow().params.has('open')) setParams({ open: id }, 'replace')
      },
      close,
      undo: decisions.undo,
    },
    open,
  )
  return (
    <>
      <section
        ref={list}
        tabIndex={-1}
        className="table-card recommendation-list"
        aria-label="Recommendations"
      >
        {chosen.length > 0 ? (
          <SelectionBar
            chosen={chosen}
            decisions={decisions}
            onClear={() =>
              choose(
                chosen.map(({ id }) => id),
                false,
              )
            }
          />
        ) : (
          <Tools count={page.totals.count} shown={rows.length} isOld={isOld} />
        )}
        {decisions.shown}
        <Updating isOld={isOld}>
          {rows.length === 0 ? (
            <Empty
              icon="check"
              title="Nothing to recommend here"
              text="Nothing matches these filters. Containers need six hours of usage, machines a day."
            />
          ) : (
            <RecommendationTable rows={rows} chosen={ids} open={open} onChoose={choose} />
          )}
          <More page={page}>{more}</More>
        </Updating>
      </section>
      {open !== undefined && (
        <RecommendationPanel
          id={open}
          listed={rows.find(({ id }) => id === open)}
          decisions={decisions}
          onClose={close}
        />
      )}
    </>
  )
}

function Tools({ count, shown, isOld }: { count: number; shown: number; isOld: boolean }) {
  return (
    <div className="table-tools">
      <Search />
      <span className="note" aria-live="polite">
        {isOld
          ? 'Loading…'
          : shown === count
            ? counted(count, 'recommendation')
            : `${shown} of ${counted(count, 'recommendation')}`}
      </span>
      <span className="spring" />
      <span className="note key-hints">
        <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> open, <kbd>a</kbd> accept, <kbd>d</kbd> dismiss,{' '}
        <kbd>s</kbd> snooze, <kbd>x</kbd> select
      </span>
    </div>
  )
}

function More({ page: { left_out }, children }: { page: RecommendationPage; children: ReactNode }) {
  if (!children && left_out.count === 0) return null
  return (
    <div className="table-more">
      {children}
      {left_out.count > 0 && (
        <span className="note">
          {counted(left_out.count, 'recommendation')} with the smallest savings left out (
          {money(left_out.worth_per_month)} per month).
        </span>
      )}
    </div>
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
  const filter = useRecommendationFilter()
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
