import { range } from '../parts/figures.ts'
import type { Container } from './queries.ts'
import { scaleOf } from './scale.ts'

interface Bar {
  readonly From: number
  readonly To: number
  readonly Percent: number
}

interface Props {
  readonly title: string
  readonly resource: Container['CPU']
  readonly bars: readonly Bar[]
  readonly say: Say
  readonly sayRequest: Say
}

type Say = (value: number | null | undefined) => string

const height = 120
const axisHeight = 20
const minBarPercent = 0.8

/** Shows the distribution of usage over the period, with current and recommended requests and limits as lines. */
export function Spread({ title, resource, bars, say, sayRequest }: Props) {
  const { Requests, Limits, Usage } = resource
  const scale = scaleOf(resource)
  const at = (value: number) => Math.min(100, (100 * value) / scale.most)
  const tallest = Math.max(...bars.map(({ Percent }) => Percent), 1)
  const tall = (share: number) => Math.max(3, Math.sqrt(share / tallest) * (height - 24))
  const lines = [
    { name: 'Request now', value: Requests.Current, mark: 'now' },
    { name: 'Request recommended', value: Requests.Recommended, mark: 'then' },
    { name: 'Limit now', value: Limits.Current, mark: 'now limit' },
    { name: 'Limit recommended', value: Limits.Recommended, mark: 'then limit' },
  ] as const

  return (
    <figure className="spread">
      <figcaption>
        <h3>{title}</h3>
        {Usage === null ? (
          <span className="note">no usage</span>
        ) : (
          <span className="note">
            median {say(Usage.P50)}, p95 {say(Usage.P95)}, max {say(Usage.Max)}
          </span>
        )}
      </figcaption>
      <svg
        width="100%"
        height={height + axisHeight}
        role="img"
        aria-label={`${title}: distribution of usage`}
      >
        {Requests.LowerBound !== null && Requests.UpperBound !== null && (
          <rect
            className="band"
            x={`${at(Requests.LowerBound)}%`}
            width={`${Math.max(0, at(Requests.UpperBound) - at(Requests.LowerBound))}%`}
            y={0}
            height={height}
          />
        )}
        {bars.map(({ From, To, Percent }) => (
          <rect
            key={From}
            className="spread-bar"
            x={`${at(From)}%`}
            width={`${Math.max(minBarPercent, at(To) - at(From))}%`}
            y={height - tall(Percent)}
            height={tall(Percent)}
            rx={1.5}
          />
        ))}
        <line className="ground" x1="0" x2="100%" y1={height - 0.5} y2={height - 0.5} />
        {lines.map(
          ({ name, value, mark }) =>
            value !== null &&
            value <= scale.most && (
              <line
                key={name}
                className={`mark-line ${mark}`}
                x1={`${at(value)}%`}
                x2={`${at(value)}%`}
                y1={0}
                y2={height}
              />
            ),
        )}
        {scale.ticks.map((tick, i) => (
          <text
            key={tick}
            className="tick"
            x={`${at(tick)}%`}
            y={height + axisHeight - 5}
            textAnchor={i === 0 ? 'start' : at(tick) > 97 ? 'end' : 'middle'}
          >
            {tick === 0 ? '0' : say(tick)}
          </text>
        ))}
      </svg>
      <dl className="spread-key">
        {lines.map(({ name, value, mark }) => (
          <div key={name}>
            <dt>
              <svg width="16" height="12" aria-hidden="true">
                <line className={`mark-line ${mark}`} x1="8" x2="8" y1="0" y2="12" />
              </svg>
              {name}
            </dt>
            <dd>
              {value === null ? (name.endsWith('now') ? 'not set' : 'unchanged') : sayRequest(value)}{' '}
              {value !== null && value > scale.most && <span className="note">beyond the scale</span>}
              {name === 'Request recommended' &&
                Requests.LowerBound !== null &&
                Requests.UpperBound !== null && (
                  <span className="note">{range(sayRequest, Requests.LowerBound, Requests.UpperBound)}</span>
                )}
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  )
}
