import { useMemo } from 'react'
import { hoursPerMonth } from '../../src/domain/money.ts'
import { paidAs } from '../compare/candidates.ts'
import type { TypeDetails } from '../compare/comparison.ts'
import { counted, hourly, money } from '../parts/figures.ts'
import { Select } from '../parts/inputs/inputs.tsx'
import { isCapped } from '../parts/month-cap.ts'
import { setParams, usePlace } from '../state/router.ts'

type Price = TypeDetails['prices'][number]

/** Shows the price of the type in each region as bars, cheapest first. */
export function RegionPrices({ of }: { of: TypeDetails }) {
  const { params } = usePlace()
  const ways = useMemo(() => [...new Set(of.prices.map(wayOf))].sort(), [of])
  const systems = of.operating_systems
  const os =
    systems.find((each) => each === params.get('os')) ??
    systems.find((each) => each === 'Linux') ??
    systems[0]
  const way =
    ways.find((each) => each === params.get('paid')) ?? (ways.includes('ONDEMAND') ? 'ONDEMAND' : ways[0])
  const shown = useMemo(
    () =>
      of.prices
        .filter((price) => price.operating_system === os && wayOf(price) === way)
        .sort((a, b) => a.cost_per_hour - b.cost_per_hour || (a.region < b.region ? -1 : 1)),
    [of, os, way],
  )
  const dearest = shown.at(-1)?.cost_per_hour ?? 1
  const compared = of.equivalents?.region
  const capped = shown.find(({ cost_per_hour, cost_per_month }) => isCapped(cost_per_hour, cost_per_month))
  return (
    <section className="card region-prices" aria-labelledby="regions-title">
      <div className="card-head">
        <h2 id="regions-title">Price by region</h2>
        <div className="region-choices">
          <Select
            label="System"
            value={os ?? ''}
            options={systems.map((each) => [each, each])}
            onChange={(to) => setParams({ os: to }, 'push')}
          />
          <Select
            label="Payment"
            value={way ?? ''}
            options={ways.map((each) => [each, paidAs(...(each.split(' ') as [string, string?]))])}
            onChange={(to) => setParams({ paid: to }, 'push')}
          />
        </div>
      </div>
      {shown.length === 0 && <p className="note">There is no such price.</p>}
      <p className="note">
        {counted(shown.length, 'region')}, per month of 730 hours at most. Choose one to compare and to see
        its history there.
        {capped !== undefined &&
          ` The provider caps the month: ${money(capped.cost_per_month)} instead of ${money(capped.cost_per_hour * hoursPerMonth)} in ${capped.region}.`}
      </p>
      <ol className="bars">
        {shown.map(({ region, cost_per_hour, cost_per_month }) => (
          <li key={region}>
            <button
              type="button"
              className="bar-row"
              aria-pressed={region === compared}
              title={`${region}, ${hourly(cost_per_hour)} per hour`}
              onClick={() => setParams({ region }, 'replace')}
            >
              <span className="bar-name">{region}</span>
              <svg className="bar-track" height="14" width="100%" aria-hidden="true">
                <rect width={`${(100 * cost_per_hour) / dearest}%`} height="14" rx="3" />
              </svg>
              <span className="bar-figure">{money(cost_per_month)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Returns text such as "RESERVED 1y". */
const wayOf = ({ usage_type, term }: Price): string => (term === null ? usage_type : `${usage_type} ${term}`)
