import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { counted, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Notice } from '../parts/states.tsx'
import { Updating } from '../parts/updating.tsx'
import { setParams } from '../state/router.ts'
import { AdviceTable } from './advice-table.tsx'
import { type AskedDecision, DecideDialog } from './decide-dialog.tsx'
import { type AdviceFilter, useAdviceFilter } from './filter.ts'
import type { Advice, AdvicePage, OnDecided } from './queries.ts'
import { SelectionBar } from './selection-bar.tsx'
import { decisionWords, placeOf } from './words.ts'

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
  // Kept here, because what was selected may leave the list meanwhile.
  const [asking, setAsking] = useState<{ state: AskedDecision; chosen: readonly Advice[] }>()
  const list = useFocusAfter(chosen.length > 0 || asking !== undefined)
  const [changed, setChanged] = useState<readonly Advice[]>([])
  const onDecided: OnDecided = (decided, changedMeanwhile) => {
    setAsking(undefined)
    setChanged(changedMeanwhile)
    choose(decided, false)
  }
  const { totals, left_out } = page
  return (
    <section ref={list} tabIndex={-1} className="table-card advice-list" aria-label="Recommendations">
      {chosen.length > 0 ? (
        <SelectionBar
          chosen={chosen}
          onAsk={(state) => setAsking({ state, chosen })}
          onDecided={onDecided}
          onClear={() =>
            choose(
              chosen.map(({ id }) => id),
              false,
            )
          }
        />
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
      {asking !== undefined && (
        <DecideDialog {...asking} onDecided={onDecided} onClose={() => setAsking(undefined)} />
      )}
      {changed.length > 0 && <ChangedMeanwhile changed={changed} onClose={() => setChanged([])} />}
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

const fewChanged = 10

/** Reports what was not decided, because someone else was faster. */
function ChangedMeanwhile({ changed, onClose }: { changed: readonly Advice[]; onClose: () => void }) {
  return (
    <Notice
      tone="danger"
      title={`${counted(changed.length, 'recommendation')} not changed, because others have decided meanwhile`}
    >
      <ul className="plain-list">
        {changed.slice(0, fewChanged).map((advice) => (
          <li key={advice.id}>
            {advice.title} ({placeOf(advice)}): {decisionWords(advice)}
          </li>
        ))}
        {changed.length > fewChanged && <li>{changed.length - fewChanged} more</li>}
      </ul>
      <button type="button" className="button" onClick={onClose}>
        Close
      </button>
    </Notice>
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
