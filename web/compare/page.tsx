import { useCallback, useMemo } from 'react'
import { setParams, usePlace } from '../app/router.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { CandidateTable } from './candidate-table.tsx'
import type { Candidate } from './candidates.ts'
import { change } from './change.ts'
import { comparisonOf, requestOf, sizeOf } from './comparison.ts'
import { curlOf } from './curl.ts'
import { Examples } from './examples.tsx'
import { Filters } from './filters.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { type Instance, readInstance, writeInstance } from './instance.ts'
import { MachineForm } from './machine-form.tsx'
import { useNamedType, useRecommendations } from './questions.ts'
import { Results } from './results.tsx'

const settleMs = 80

/** Where would this machine cost less? */
export default function ComparePage() {
  const { params } = usePlace()
  const comparison = useMemo(() => comparisonOf(params), [params])
  const named = useNamedType(comparison)
  const found = named.data ?? undefined
  const size = useMemo(() => sizeOf(comparison, found), [comparison, found])
  const body = useMemo(() => requestOf(comparison, size), [comparison, size])
  const answer = useRecommendations(useSettled(body, settleMs))
  const history = useMemo(() => readInstance(params.get('history')), [params])
  const { os } = comparison
  const openCandidate = useCallback(
    ({ provider, region, type, usageType }: Candidate) =>
      openHistory({ provider, region, type, os, paid: usageType }),
    [os],
  )

  return (
    <>
      <PageHead title="Compare" text="Where would this machine cost less?">
        {body !== undefined && comparison.kind === 'type' && (
          <button type="button" className="button" onClick={() => openHistory(comparison)}>
            <Icon name="clock" size={16} /> Price history
          </button>
        )}
        {body !== undefined && (
          <CopyButton label="Copy as curl" text={() => curlOf(location.origin, '/recommendations', body)} />
        )}
      </PageHead>
      <div className="compare">
        <div className="compare-form">
          <MachineForm comparison={comparison} found={found} size={size} onChange={change} />
          <Filters comparison={comparison} onChange={change} />
        </div>
        <div className="compare-answer" aria-busy={answer.isFetching}>
          {named.error !== null && <Trouble error={named.error} again={() => void named.refetch()} />}
          {named.data === null && (
            <Trouble error={new Error(`No price list has a type named “${comparison.type}”.`)} />
          )}
          {body === undefined && named.data === undefined && !named.isFetching && (
            <Examples onChange={change} />
          )}
          {answer.error !== null && body !== undefined && (
            <Trouble error={answer.error} again={() => void answer.refetch()} />
          )}
          {answer.isPending && body !== undefined && <Skeleton lines={10} label="Comparing prices" />}
          {answer.data !== undefined && answer.error === null && body !== undefined && size !== undefined && (
            <Results answer={answer.data} size={size} body={body} />
          )}
        </div>
        {answer.data !== undefined && answer.error === null && answer.data.candidates.length > 0 && body && (
          <CandidateTable candidates={answer.data.candidates} onOpen={openCandidate} />
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
