import type { ExchangeRate } from './manifest.ts'
import { round } from './money.ts'
import { Problem } from './problem.ts'

export interface ShownCurrency {
  readonly code: string
  readonly usdPerUnit: number
  /** YYYY-MM-DD */
  readonly day: string
}

/** The header of an answer in another currency, a dictionary of RFC 9651: currency="EUR", usd=1.1567, day="2026-11-13" */
export const exchangeHeader = 'cheapside-exchange'

export const writeExchange = ({ code, usdPerUnit, day }: ShownCurrency): string =>
  `currency="${code}", usd=${usdPerUnit}, day="${day}"`

/** Returns undefined without the header: amounts are in US dollars then. */
export function readExchange(headers: Headers): ShownCurrency | undefined {
  const text = headers.get(exchangeHeader) ?? ''
  const [, code, usd, day] = /^currency="([A-Z]{3})", usd=([\d.]+), day="([\d-]+)"$/.exec(text) ?? []
  return day === undefined ? undefined : { code: code!, usdPerUnit: Number(usd), day }
}

/** Returns undefined for US dollars. Throws a problem that lists the currencies with a rate. */
export function parseCurrency(
  asked: string | undefined,
  known: ExchangeRate | null | undefined,
): ShownCurrency | undefined {
  const code = asked?.toUpperCase() ?? 'USD'
  if (code === 'USD') return undefined
  if (known?.to === 'USD' && known.from === code && known.rate > 0)
    return { code, usdPerUnit: known.rate, day: known.day }
  const codes = known?.to === 'USD' ? ['USD', known.from] : ['USD']
  const message = `must be ${codes.join(' or ')}: there is no dated rate of others`
  throw new Problem('invalid', 'The query is invalid.', { errors: [{ pointer: '?currency', message }] })
}

/** Says at which rate and of which day amounts were converted. */
export const rateText = ({ code, usdPerUnit, day }: ShownCurrency): string =>
  `1 ${code} is ${usdPerUnit} US dollars, of ${day}.`

/** Converts amounts of a JSON value, and those in its texts: {cost_usd: 5, text: '$5.00'} -> {cost_eur: 4, text: '€4.00'} */
export function inCurrency<Value>(value: Value, currency: ShownCurrency): Value {
  const convert = (one: unknown, name: string, isAmount: boolean): unknown => {
    if (typeof one === 'number') return isAmount ? convertAmount(one, currency) : one
    if (typeof one === 'string') return textMember.test(name) ? textInCurrency(one, currency) : one
    if (Array.isArray(one)) return one.map((item) => convert(item, name, isAmount))
    if (typeof one !== 'object' || one === null) return one
    return mapMembers(one, (key, member) =>
      storedMember.test(key)
        ? [key, member]
        : [nameColumns(key, currency), convert(member, key, isAmount || amountMember.test(key))],
    )
  }
  return convert(value, '', false) as Value
}

const amountMember =
  /_usd(?![a-z])|^(?!.*(hours|co2e)).*per_(hour|month|year)(_from)?$|^cost_per_|spend$|savingsAmount$|^Monthly|(cost|savings)Per(Hour|Month)$/i
/** Members of price rules and commitments, which can be sent back. */
const storedMember = /^((price|add|cost)_per_hour_usd|usd_per_hour)$/
const textMember = /^(text|reasons|note|notes)$/

/** -$1,234.50 -> -€987.60; $10 -> €8.00 */
export const textInCurrency = (text: string, currency: ShownCurrency): string =>
  text.replace(/\$(\d+(?:,\d{3})*)(\.\d+)?/g, (_, whole: string, decimals = '') => {
    const usd = Number(whole.replaceAll(',', '') + decimals)
    const [units = '', rest = ''] = convertAmount(usd, currency)
      .toFixed(Math.max(2, decimals.length - 1))
      .split('.')
    return `${symbolOf(currency)}${units.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`
  })

/** The same for a text of amounts that are converted already: $4.00 -> €4.00 */
export const withSymbol = (text: string, currency: ShownCurrency): string =>
  text.replaceAll('$', symbolOf(currency))

export const symbolOf = ({ code }: ShownCurrency): string => (code === 'EUR' ? '€' : `${code} `)

const convertAmount = (usd: number, { usdPerUnit }: ShownCurrency): number => round(usd / usdPerUnit, 6)

/** Converts the members of a row that are amounts; their names stay. */
export const convertAmounts = <Row extends object>(row: Row, currency: ShownCurrency): Row =>
  mapMembers(row, (name, value) => [
    name,
    typeof value === 'number' && amountName.test(name) ? convertAmount(value, currency) : value,
  ])

/** cost_usd -> cost_eur, node_cost_usd_per_hour -> node_cost_eur_per_hour */
export const nameAmounts = <Row extends object>(row: Row, currency: ShownCurrency): Row =>
  mapMembers(row, (name, value) => [nameColumns(name, currency), value])

export const nameAsUsd = <Row extends object>(row: Row, { code }: ShownCurrency): Row =>
  mapMembers(row, (name, value) => [
    name.replace(new RegExp(`_${code.toLowerCase()}(?![a-z])`), '_usd'),
    value,
  ])

export const nameColumns = (head: string, { code }: ShownCurrency): string =>
  head.replaceAll(amountNames, `_${code.toLowerCase()}`)

const amountName = /_usd(?![a-z])/
const amountNames = new RegExp(amountName, 'g')

const mapMembers = <Row extends object>(
  row: Row,
  map: (name: string, value: unknown) => readonly [string, unknown],
): Row => Object.fromEntries(Object.entries(row).map(([name, value]) => map(name, value))) as Row
