import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { counted, money, textWithAmounts } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { type Period, periodBefore } from '../usage/period.ts'
import type { CostsQuery } from './queries.ts'

type Changes = paths['/v1/cost_changes']['get']['responses'][200]['content']['application/json']

/** In the order in which the service takes the change apart. */
const parts = [
  ['hours_usd', 'More or fewer hours'],
  ['new_usd', 'New workloads'],
  ['gone_usd', 'Gone workloads'],
  ['count_usd', 'More or fewer pods'],
  ['size_usd', 'Larger or smaller pods'],
  ['mix_usd', 'Other types of nodes'],
  ['price_usd', 'Prices'],
  ['idle_usd', 'Idle nodes'],
  ['shared_usd', 'Shared costs'],
] as const

type Why = Pick<CostsQuery, 'cluster' | 'sharing'> & { readonly period: Period }

/** Explains the change since the previous period, on demand because it reads both. */
export function WhyChanged({ cluster, sharing, period }: Why) {
  const [isOpen, setOpen] = useState(false)
  const before = periodBefore(period)
  const query = {
    group_by: 'namespace' as const,
    start_date: period.start_date,
    end_date: period.end_date,
    before_start_date: before.start_date,
    before_end_date: before.end_date,
    ...(cluster === undefined ? {} : { cluster }),
    ...(sharing === undefined ? {} : { sharing }),
  }
  const asked = useQuery({
    queryKey: ['cost-changes', query],
    queryFn: ({ signal }) => answer(service.GET('/v1/cost_changes', { params: { query }, signal })),
    enabled: isOpen,
  })
  return (
    <details className="card why-changed" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Why it changed</h2> <span className="note">since the previous period</span>
      </summary>
      {isOpen && asked.isPending && <Skeleton lines={6} label="Comparing both periods" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data !== undefined && <Waterfall of={asked.data} />}
    </details>
  )
}

interface Step {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly isTotal: boolean
}

/** Returns the bars of the waterfall: from the cost before, by each part, to the cost now. */
export function stepsOf(of: Changes): Step[] {
  let at = of.before_usd
  const steps = parts.flatMap(([id, name]) => {
    const [from, to] = [at, at + of[id]]
    at = to
    return from === to ? [] : [{ name, from, to, isTotal: false }]
  })
  return [
    { name: 'Before', from: 0, to: of.before_usd, isTotal: true },
    ...steps,
    { name: 'Now', from: 0, to: of.cost_usd, isTotal: true },
  ]
}

const maxGroups = 5

function Waterfall({ of }: { of: Changes }) {
  const steps = stepsOf(of)
  const whole = Math.max(...steps.flatMap(({ from, to }) => [from, to]), 0.01)
  const share = (value: number) => `${(100 * value) / whole}%`
  return (
    <>
      <ul className="waterfall">
        {steps.map(({ name, from, to, isTotal }) => (
          <li key={name} data-kind={isTotal ? 'total' : to > from ? 'more' : 'less'}>
            <span>{name}</span>
            <span className="waterfall-track" aria-hidden="true">
              <span style={{ marginLeft: share(Math.min(from, to)), width: share(Math.abs(to - from)) }} />
            </span>
            <span className="number">
              {isTotal ? money(to) : `${to > from ? '+' : '−'}${money(Math.abs(to - from))}`}
            </span>
          </li>
        ))}
      </ul>
      {of.note !== null && <p className="note">{textWithAmounts(of.note)}</p>}
      {of.note === null && Math.abs(of.before_measured_hours - of.measured_hours) > 1 && (
        <p className="note">
          Measured were {counted(Math.round(of.before_measured_hours), 'hour')} before, and{' '}
          {counted(Math.round(of.measured_hours), 'hour')} now.
        </p>
      )}
      <p className="note">
        Largest changes:{' '}
        {of.groups
          .slice(0, maxGroups)
          .map(
            ({ cluster, namespace, change_usd }) =>
              `${cluster === null ? 'machines' : `${namespace ?? 'idle'} (${cluster})`} ${change_usd < 0 ? '−' : '+'}${money(Math.abs(change_usd))}`,
          )
          .join(', ')}
        .
      </p>
    </>
  )
}
