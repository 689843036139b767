import { useEffect } from 'react'
import { currency, currencyName, usDollars } from '../parts/currency.ts'
import { day } from '../parts/figures.ts'
import { Select } from '../parts/inputs/inputs.tsx'
import { useSignal } from '../state/signal.ts'
import { type Exchange, offeredCurrency, renewedCurrency } from './currency-choice.ts'

/**
 * Chooses US dollars or the currency for which the catalogue has a dated exchange rate. Without a rate there is no
 * choice.
 */
export function CurrencyChoice({ exchange }: { exchange: Exchange }) {
  const shown = useSignal(currency)
  const other = offeredCurrency(exchange)
  useEffect(() => currency.set(renewedCurrency(shown, exchange)), [shown, exchange])
  if (other === undefined) return <>US dollars. The catalogue has no exchange rate.</>
  return (
    <div className="setting-field">
      <Select
        label="Show amounts in"
        value={shown.code}
        options={[usDollars, other].map(({ code }) => [code, currencyName(code)] as const)}
        onChange={(code) => currency.set(code === other.code ? other : usDollars)}
      />
      <span className="note">
        1 {other.code} = {other.rate} USD on {day(other.day)}, {exchange?.source}. Kept in this browser, also
        for the files of tables. The API answers in US dollars unless it is asked for euro.
      </span>
    </div>
  )
}
