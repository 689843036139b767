import { useQueries } from '@tanstack/react-query'
import '../styles/compare.css'
import type { TypeDetails } from '../compare/comparison.ts'
import { maxPins, togglePin } from '../compare/pins.ts'
import { typeDetails } from '../compare/queries.ts'
import { hourly, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Trouble } from '../parts/states.tsx'
import { addressOf } from '../state/router.ts'
import { factsOf } from './type-sheet.tsx'

/** "provider/type" */
export const pinOf = ({ provider_key, instance_type }: { provider_key: string; instance_type: string }) =>
  `${provider_key}/${instance_type}`

/** Compares pinned types fact by fact; the address names them. */
export function SideBySide({ pins }: { pins: readonly string[] }) {
  const asked = useQueries({
    queries: pins.slice(0, maxPins).map((pin) => {
      const at = pin.indexOf('/')
      return typeDetails(pin.slice(0, at), pin.slice(at + 1))
    }),
  })
  if (pins.length === 0) return null
  const types = asked.flatMap(({ data }) => data ?? [])
  const sheets = types.map((of) => new Map([...pricesOf(of), ...factsOf(of)]))
  const names = [...new Set(sheets.flatMap((sheet) => [...sheet.keys()]))]
  const failed = asked.find(({ error }) => error !== null)
  return (
    <section className="card pinned types-pinned" aria-labelledby="pinned-title">
      <div className="card-head">
        <h2 id="pinned-title">Side by side</h2>
        <span className="note">
          {types.length} of at most {maxPins} pinned; the address keeps them
        </span>
      </div>
      {failed !== undefined && <Trouble error={failed.error} again={() => void failed.refetch()} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label="Side by side, table">
        <table>
          <caption className="visually-hidden">Side by side</caption>
          <thead>
            <tr>
              <th scope="col" className="plain-head">
                <span className="visually-hidden">Fact</span>
              </th>
              {types.map((of) => (
                <th key={pinOf(of)} scope="col" className="plain-head">
                  <Link href={addressOf(['prices', 'types', of.provider_key, of.instance_type])}>
                    {of.instance_type}
                  </Link>
                  <br />
                  {of.provider}
                  <button
                    type="button"
                    className="button plain unpin"
                    aria-label={`Unpin ${of.instance_type}`}
                    onClick={() => togglePin(pinOf(of))}
                  >
                    <Icon name="close" size={14} />
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row" className="plain-head">
                  {name}
                </th>
                {types.map((of, i) => (
                  <td key={pinOf(of)}>{sheets[i]!.get(name) ?? 'not known'}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

const pricesOf = (of: TypeDetails) =>
  [
    [
      'On demand, from',
      of.cost_per_month_from === null ? null : `${money(of.cost_per_month_from)} per month`,
    ],
    ['Per hour, from', of.cost_per_hour_from === null ? null : hourly(of.cost_per_hour_from)],
    ['Cores', of.cpu_cores],
    ['Memory, GiB', of.ram_gb],
  ] as const
