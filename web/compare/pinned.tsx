import type { ReactNode } from 'react'
import { savedPercentOfMonth } from '../../src/domain/money.ts'
import { cores, gib, hourly, money, percent } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { type Candidate, type ComparisonAnswer, type Offer, paidAs } from './candidates.ts'
import { maxPins, togglePin } from './pins.ts'
import { PriceDay } from './price-day.tsx'
import { changesText, effortNames, speedText } from './words.ts'

type Side = Omit<Offer, 'savings'> & Partial<Pick<Offer, 'savings'>>

const facts: readonly (readonly [name: string, said: (of: Side) => ReactNode])[] = [
  ['Per month', (of) => <b>{money(of.cost_per_month)}</b>],
  ['Per hour', (of) => hourly(of.cost_per_hour)],
  [
    'Saves per month',
    ({ savings, ...of }) =>
      savings === undefined ? (
        '–'
      ) : (
        <span className="good">
          {money(savings.amount_per_month)}, {percent(savedPercentOfMonth({ ...of, savings }))}
        </span>
      ),
  ],
  ['Provider', (of) => of.provider],
  ['Region', (of) => [of.region, of.availability_zone].filter((name) => name !== '').join(' ') || '–'],
  ['Payment', (of) => paidAs(of.usage_type, of.term)],
  ['Size', (of) => (of.vm === null ? '–' : `${cores(of.vm.cpu_cores)}, ${gib(of.vm.ram_gb)}`)],
  ['Speed of a core', (of) => (of.savings === undefined ? '1.00×' : speedText(of))],
  ['Processor', ({ machine }) => machine.processor ?? 'not known'],
  ['Generation', ({ machine }) => machine.generation],
  [
    'Local disk',
    ({ machine: { local_disk: disk } }) =>
      disk === null || disk.gib === 0
        ? 'none'
        : `${disk.gib === null ? 'size not known' : gib(disk.gib)}, ${disk.kind}`,
  ],
  [
    'Network',
    ({ machine: { network } }) =>
      network?.max_gbps == null ? 'not known' : `up to ${network.max_gbps} Gbit/s`,
  ],
  [
    'CO2e per hour',
    ({ machine: { carbon } }) => (carbon === null ? 'not known' : `${carbon.grams_co2e_per_hour} g`),
  ],
  ['Price date', (of) => <PriceDay of={of.price} />],
  ['Changes', (of) => (of.savings === undefined ? '–' : changesText(of).join(', ') || 'none')],
]

/** Compares the current machine with up to four candidates, fact by fact. */
export function Pinned({
  current,
  candidates,
  pins,
}: {
  current: ComparisonAnswer['current']
  candidates: readonly Candidate[]
  pins: readonly string[]
}) {
  const found = pins.flatMap((pin) => candidates.find(({ id }) => id === pin) ?? [])
  if (pins.length === 0) return null
  const gone = pins.length - found.length
  return (
    <section className="card pinned" aria-labelledby="pinned-title">
      <div className="card-head">
        <h2 id="pinned-title">Side by side</h2>
        <span className="note">
          {found.length} of at most {maxPins} pinned
          {gone > 0 && `; ${gone} no longer among the options`}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label="Side by side, table">
        <table>
          <caption className="visually-hidden">Side by side</caption>
          <thead>
            <tr>
              <th scope="col" className="plain-head">
                <span className="visually-hidden">Fact</span>
              </th>
              <th scope="col" className="plain-head">
                {current.instance_type || 'Custom size'}
                <br />
                now
              </th>
              {found.map(({ id, effort, offer }) => (
                <th key={id} scope="col" className="plain-head">
                  {offer.instance_type}
                  <br />
                  {effortNames[effort]}
                  <button
                    type="button"
                    className="button plain unpin"
                    aria-label={`Unpin ${offer.instance_type}`}
                    onClick={() => togglePin(id)}
                  >
                    <Icon name="close" size={14} />
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facts.map(([name, said]) => (
              <tr key={name}>
                <th scope="row" className="plain-head">
                  {name}
                </th>
                <td>{said(current)}</td>
                {found.map(({ id, offer }) => (
                  <td key={id}>{said(offer)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}
