import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { Badge } from '../parts/badge.tsx'
import { money, percent, share } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { Term } from '../parts/term.tsx'
import { addressOf, usePlace } from '../state/router.ts'
import { riskTone, riskWords, stateWords } from './facet-words.ts'
import { confidenceMeaning, riskMeaning } from './grade-meanings.ts'
import type { Recommendation } from './queries.ts'
import { RecommendationState } from './recommendation-state.tsx'
import { placeOf, shortTitle } from './words.ts'

interface Props {
  readonly rows: readonly Recommendation[]
  readonly chosen: ReadonlySet<string>
  /** The recommendation in the side panel. */
  readonly open: string | undefined
  readonly onChoose: (ids: readonly string[], isChosen: boolean) => void
}

/** Shows one row for each recommendation, greatest worth first. */
export function RecommendationTable({ rows, chosen, open, onChoose }: Props) {
  // In a list of open recommendations only, the state says nothing.
  const withState = rows.some(({ state }) => state !== 'open')
  const all = rows.length > 0 && rows.every(({ id }) => chosen.has(id))
  const { segments, params } = usePlace()
  const others = new URLSearchParams(params)
  others.delete('open')
  const list = addressOf(segments, others)
  const latest = useRef(onChoose)
  latest.current = onChoose
  const choose = useRef((id: string, is: boolean) => latest.current([id], is)).current
  return (
    <table className="recommendation-table">
      <caption className="visually-hidden">Recommendations</caption>
      <thead>
        <tr>
          <th scope="col" className="pick">
            <input
              type="checkbox"
              aria-label="Select all that are shown"
              checked={all}
              onChange={() =>
                onChoose(
                  rows.map(({ id }) => id),
                  !all,
                )
              }
            />
          </th>
          <th scope="col">Recommendation</th>
          <th scope="col" className="number">
            Saves/month
          </th>
          <th scope="col" className="minor">
            <Term of="Risk" meaning={`${riskMeaning} Confidence: ${confidenceMeaning}`} />
          </th>
          {withState && (
            <th scope="col" className="minor">
              State
            </th>
          )}
        </tr>
      </thead>
      {Array.from({ length: Math.ceil(rows.length / groupRows) }, (_, group) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is a place in the list
        <RowGroup key={group} columns={withState ? 5 : 4}>
          {() =>
            rows
              .slice(group * groupRows, (group + 1) * groupRows)
              .map((recommendation) => (
                <Row
                  key={recommendation.id}
                  recommendation={recommendation}
                  isChosen={chosen.has(recommendation.id)}
                  isOpen={recommendation.id === open}
                  withState={withState}
                  list={list}
                  onChoose={choose}
                />
              ))
          }
        </RowGroup>
      ))}
    </table>
  )
}

const groupRows = 50

/** Renders rows near the window; the others only keep their height. */
function RowGroup({ columns, children }: { columns: number; children: () => ReactNode }) {
  const group = useRef<HTMLTableSectionElement>(null)
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const near = new IntersectionObserver(
      (seen) => {
        const { isIntersecting, boundingClientRect } = seen.at(-1)!
        setHeight(isIntersecting ? undefined : boundingClientRect.height)
      },
      { rootMargin: '1500px' },
    )
    near.observe(group.current!)
    return () => near.disconnect()
  }, [])
  return (
    <tbody ref={group}>
      {height === undefined ? (
        children()
      ) : (
        <tr>
          <td colSpan={columns} style={{ height }} />
        </tr>
      )}
    </tbody>
  )
}

interface RowProps {
  readonly recommendation: Recommendation
  readonly isChosen: boolean
  readonly isOpen: boolean
  readonly withState: boolean
  /** The address of the list, with nothing open. */
  readonly list: string
  readonly onChoose: (id: string, isChosen: boolean) => void
}

/** Rendered again only if it changes, since there may be thousands. */
const Row = memo(({ recommendation, isChosen, isOpen, withState, list, onChoose }: RowProps) => {
  const { title, worth_per_month: worth, cost_per_month: cost, risk, confidence } = recommendation
  return (
    <tr className={isChosen || isOpen ? 'chosen' : undefined} data-id={recommendation.id}>
      <td className="pick">
        <input
          type="checkbox"
          aria-label={title}
          checked={isChosen}
          onChange={() => onChoose(recommendation.id, !isChosen)}
        />
      </td>
      <td className="fill">
        <Title recommendation={recommendation} isOpen={isOpen} list={list} />
        <span className="only-narrow recommendation-line">
          <Badge tone={riskTone[risk]}>{riskWords[risk]} risk</Badge>
          <span className="note">
            {share(confidence)} confidence, {stateWords[recommendation.state]?.toLowerCase()}
          </span>
        </span>
      </td>
      <td className="number">
        <span className="two-lines">
          <b className={worth < 0 ? 'bad' : 'good'}>{money(worth)}</b>
          {cost !== null && cost > 0 && <span>{percent((100 * worth) / cost)}</span>}
        </span>
      </td>
      <td className="minor">
        <span className="two-lines">
          <span className="as-text">
            <Badge tone={riskTone[risk]}>{riskWords[risk]}</Badge>
          </span>
          <span>{share(confidence)} confidence</span>
        </span>
      </td>
      {withState && (
        <td className="minor">
          <RecommendationState recommendation={recommendation} />
        </td>
      )}
    </tr>
  )
})

function Title({ recommendation, isOpen, list }: Pick<RowProps, 'recommendation' | 'isOpen' | 'list'>) {
  return (
    <span className="two-lines">
      <Link
        href={`${list}${list.includes('?') ? '&' : '?'}open=${encodeURIComponent(recommendation.id)}`}
        keepsPosition
        aria-current={isOpen ? 'true' : undefined}
        title={recommendation.title}
      >
        {shortTitle(recommendation)}
      </Link>
      <span title={placeOf(recommendation)}>{placeOf(recommendation)}</span>
    </span>
  )
}
