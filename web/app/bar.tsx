import { currency, currencyName, usDollars } from '../parts/currency.ts'
import { day } from '../parts/figures.ts'
import { useSignal } from '../state/signal.ts'
import { ClusterChoice } from './cluster-choice.tsx'
import { DatesChoice } from './dates-choice.tsx'
import { FindButton } from './find-button.tsx'
import type { Page } from './pages.ts'
import { SavedViews } from './saved-views.tsx'

/** Choices that apply to all pages. */
export function Bar({ choices, money }: { choices: Page['bar']; money: Page['money'] }) {
  return (
    <section className="bar" aria-label="Cluster, period and search">
      {choices?.includes('cluster') && <ClusterChoice />}
      {choices?.includes('dates') && <DatesChoice />}
      {choices !== undefined && (
        <span className="note bar-note">
          {money === 'period' ? 'Amounts are for the period' : 'Amounts are per month of 730 hours'}
        </span>
      )}
      <CurrencyNote />
      <span className="spring" />
      <SavedViews />
      <FindButton />
    </section>
  )
}

/** Converted amounts are marked on every page, with the day of the exchange rate. */
function CurrencyNote() {
  const { code, rate, day: of } = useSignal(currency)
  if (code === usDollars.code) return null
  return (
    <span className="note">
      In {currencyName(code)} at {rate} USD on {day(of)}
    </span>
  )
}
