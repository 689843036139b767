import { Badge } from '../parts/badge.tsx'
import { day, money, percent, share } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { Term } from '../parts/term.tsx'
import { usePlace } from '../state/router.ts'
import { barParams } from '../usage/period.ts'
import { riskWords, stateWords } from './facet-words.ts'
import type { Advice } from './queries.ts'
import { addressOfAdvice, placeOf, sizeWords } from './words.ts'

const riskTone = { low: 'good', medium: 'warn', high: 'bad' } as const

interface Props {
  readonly rows: readonly Advice[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: readonly string[], isChosen: boolean) => void
}

/** Shows one row for each recommendation, greatest worth first. */
export function AdviceTable({ rows, chosen, onChoose }: Props) {
  const all = rows.length > 0 && rows.every(({ id }) => chosen.has(id))
  return (
    <table className="advice-table">
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
            Saves per month
          </th>
          <th scope="col" className="minor">
            <Term of="risk">Risk</Term>
          </th>
          <th scope="col" className="number minor">
            Confidence
          </th>
          <th scope="col" className="minor">
            State
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((advice) => (
          <Row
            key={advice.id}
            advice={advice}
            isChosen={chosen.has(advice.id)}
            onChoose={(is) => onChoose([advice.id], is)}
          />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  advice,
  isChosen,
  onChoose,
}: {
  advice: Advice
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}) {
  const { title, worth_per_month: worth, cost_per_month: cost, risk, confidence } = advice
  return (
    <tr className={isChosen ? 'chosen' : undefined}>
      <td className="pick">
        <input type="checkbox" aria-label={title} checked={isChosen} onChange={() => onChoose(!isChosen)} />
      </td>
      <td className="fill">
        <Title advice={advice} />
        <span className="only-narrow advice-line">
          <Badge tone={riskTone[risk]}>{riskWords[risk]} risk</Badge>
          <span className="note">
            {share(confidence)} confidence, {stateWords[advice.state]?.toLowerCase()}
          </span>
        </span>
        <Details advice={advice} />
      </td>
      <td className="number">
        <span className="two-lines">
          <b className={worth < 0 ? 'bad' : 'good'}>{money(worth)}</b>
          {cost !== null && cost > 0 && <span>{percent((100 * worth) / cost)}</span>}
        </span>
      </td>
      <td className="minor">
        <Badge tone={riskTone[risk]}>{riskWords[risk]}</Badge>
      </td>
      <td className="number minor">{share(confidence)}</td>
      <td className="minor">
        <State advice={advice} />
      </td>
    </tr>
  )
}

function Title({ advice }: { advice: Advice }) {
  const { params } = usePlace()
  const address = addressOfAdvice(advice, barParams(params))
  return (
    <span className="two-lines">
      {address === undefined ? <b>{advice.title}</b> : <Link href={address}>{advice.title}</Link>}
      <span title={placeOf(advice)}>{placeOf(advice)}</span>
    </span>
  )
}

/** The reasons for a recommendation, which the user can open. */
function Details({ advice }: { advice: Advice }) {
  const { current, recommended, reasons, is_estimate, effort, replicas } = advice
  return (
    <details className="advice-details">
      <summary>Why{is_estimate && ', an estimate'}</summary>
      <p>
        Now {sizeWords(current)}
        {replicas !== null && replicas > 1 && ` in each of ${replicas} replicas`}; recommended{' '}
        {sizeWords(recommended)}. Effort: {effort}.
      </p>
      <ul className="plain-list">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {is_estimate && (
          <li>
            Part of it is estimated at <Term of="base rates" />, because the price of a node is not known.
          </li>
        )}
      </ul>
    </details>
  )
}

function State({ advice }: { advice: Advice }) {
  const { state, state_reason, state_until, state_changed_by, outdated_since, realised } = advice
  const isGood = state === 'applied' || (state === 'accepted' && outdated_since === null)
  const tone = isGood ? 'good' : undefined
  const notes = [
    ...(outdated_since === null ? [] : [`no longer recommended since ${day(outdated_since)}`]),
    ...(state_until === null ? [] : [`until ${day(state_until)}`]),
    ...(state_reason ? [state_reason] : []),
    ...(state_changed_by ? [`by ${state_changed_by}`] : []),
    ...(realised === null ? [] : [`${money(realised.per_month)} per month since ${day(realised.since)}`]),
  ]
  return (
    <span className="two-lines advice-state">
      <span className="as-text">
        <Badge tone={tone}>{stateWords[state]}</Badge>
      </span>
      {notes.length > 0 && <span title={notes.join(', ')}>{notes.join(', ')}</span>}
    </span>
  )
}
