import { useMemo } from 'react'
import '../styles/compare.css'
import { CopyButton } from '../parts/copy.tsx'
import { day } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { Updating } from '../parts/updating.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { setParams, usePlace } from '../state/router.ts'
import { CandidateTable } from './candidate-table.tsx'
import { candidatesOf, type Effort } from './candidates.ts'
import { change } from './change.ts'
import { comparisonOf, regionOf, requestOf, sizeOf } from './comparison.ts'
import { curlOf } from './curl.ts'
import { Examples } from './examples.tsx'
import { Filters } from './filters.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { type Instance, readInstance, writeInstance } from './instance.ts'
import { MachineForm } from './machine-form.tsx'
import { Pinned } from './pinned.tsx'
import { togglePin } from './pins.ts'
import { priceAgesText } from './price-ages.ts'
import { namedType, useComparison, useTypeDetails } from './queries.ts'
import { Results } from './results.tsx'

const settleMs = 80

/** Compares a machine with cheaper ones. */
export default function ComparePage() {
  const { params } = usePlace()
  const given = useMemo(() => comparisonOf(params), [params])
  const named = useTypeDetails(...namedType(given))
  const found = given.kind === 'type' ? named.data : undefined
  const comparison = useMemo(() => ({ ...given, region: regionOf(given, found) }), [given, found])
  const size = useMemo(() => sizeOf(comparison, found), [comparison, found])
  const body = useMemo(() => requestOf(comparison, size), [comparison, size])
  const asked = useComparison(useSettled(body, settleMs))
  const history = useMemo(() => readInstance(params.get('history')), [params])
  const answer = body !== undefined && asked.error === null ? asked.data : undefined
  const options = useMemo(
    () => answer?.options.filter(({ effort }) => effort !== 'spot' || given.spot) ?? [],
    [answer, given.spot],
  )
  const all = useMemo(() => candidatesOf(options), [options])
  const effort = options.find((option) => option.effort === params.get('effort'))?.effort as
    | Effort
    | undefined
  const shown = useMemo(
    () => all.filter((each) => effort === undefined || each.effort === effort),
    [all, effort],
  )
  const pins = useMemo(() => params.getAll('pin'), [params])

  return (
    <>
      <PageHead title="Compare" text="Where would this machine cost less?">
        {body !== undefined && comparison.kind === 'type' && (
          <button type="button" className="button" onClick={() => openHistory(comparison)}>
            <Icon name="clock" size={16} /> Price history
          </button>
        )}
        {body !== undefined && (
          <CopyButton label="Copy as curl" text={() => curlOf(location.origin, '/v1/comparisons', body)} />
        )}
      </PageHead>
      <div className="compare">
        <div className="compare-form">
          <MachineForm comparison={comparison} found={found} size={size} onChange={change} />
          <Filters comparison={comparison} onChange={change} />
        </div>
        <Updating isOld={asked.isPlaceholderData} label="Comparing prices" className="compare-answer">
          {named.error !== null && (
            <Trouble
              error={named.error}
              again={() => {
                void named.refetch()
                if (body !== undefined) void asked.refetch()
              }}
            />
          )}
          {body === undefined && named.data === undefined && named.error === null && !named.isFetching && (
            <Examples onChange={change} />
          )}
          {asked.error !== null && body !== undefined && named.error === null && (
            <Trouble error={asked.error} again={() => void asked.refetch()} />
          )}
          {((asked.isPending && body !== undefined) || (named.isLoading && answer === undefined)) && (
            <Skeleton lines={10} label="Comparing prices" />
          )}
          {answer !== undefined && (
            <Results answer={answer} options={options} candidates={shown} effort={effort} />
          )}
        </Updating>
        {answer !== undefined && (
          <Updating isOld={asked.isPlaceholderData} className="compare-rows">
            <Pinned current={answer.current} candidates={all} pins={pins} />
            {shown.length > 0 && (
              <CandidateTable
                candidates={shown}
                currentCores={answer.current.vm?.cpu_cores}
                pins={pins}
                onPin={togglePin}
              />
            )}
            <p className="note">
              {priceAgesText([answer.current.price, ...shown.map(({ offer }) => offer.price)], day)}
            </p>
          </Updating>
        )}
      </div>
      {history !== undefined && (
        <HistoryDialog key={writeInstance(history)} of={history} onClose={closeHistory} />
      )}
    </>
  )
}

const openHistory = (of: Instance) => setParams({ history: writeInstance(of) }, 'push')

const closeHistory = () =>
  setParams(
    {
      history: undefined,
      'history.sort': undefined,
      'history.q': undefined,
      'history.page': undefined,
    },
    'push',
  )
