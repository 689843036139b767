import { useEffect } from 'react'
import type { paths } from '../api/schema.ts'
import { useSignal } from '../app/signal.ts'
import { type Currency, currency, currencyName, usDollars } from '../parts/currency.ts'
import { day } from '../parts/figures.ts'
import { Select } from '../parts/inputs.tsx'

type Exchange = paths['/catalogue']['get']['responses'][200]['content']['application/json']['exchange']

/**
 * Chooses US dollars or the currency for which the catalogue has a dated exchange rate. Without a rate there is no
 * choice.
 */
export function CurrencyChoice({ exchange }: { exchange: Exchange }) {
  const shown = useSignal(currency)
  const other = offered(exchange)
  useEffect(() => {
    // The rate of a newer catalogue replaces the stored one. A rate that no longer exists is not used any more.
    if (shown.code === usDollars.code) return
    if (other?.code !== shown.code) currency.set(usDollars)
    else if (other.rate !== shown.rate || other.day !== shown.day) currency.set(other)
  }, [shown, other])
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
        1 {other.code} = {other.rate} USD on {day(other.day)}, {exchange?.source}. Kept in this browser. The
        API and exported files are in US dollars.
      </span>
    </div>
  )
}

const offered = (exchange: Exchange): Currency | undefined =>
  exchange?.to === usDollars.code && exchange.rate > 0
    ? { code: exchange.from, rate: exchange.rate, day: exchange.day }
    : undefined
