import type { ExchangeRate } from '../../domain/manifest.ts'
import { round } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'

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

/** Converts the members that are amounts; their names stay. */
export const convertAmounts = <Row extends object>(row: Row, { usdPerUnit }: ShownCurrency): Row =>
  mapMembers(row, (name, value) => [
    name,
    typeof value === 'number' && amountName.test(name) ? round(value / usdPerUnit, 6) : value,
  ])

/** cost_usd -> cost_eur, node_cost_usd_per_hour -> node_cost_eur_per_hour */
export const nameAmounts = <Row extends object>(row: Row, { code }: ShownCurrency): Row =>
  mapMembers(row, (name, value) => [name.replace(amountName, `_${code.toLowerCase()}`), value])

export const nameAsUsd = <Row extends object>(row: Row, { code }: ShownCurrency): Row =>
  mapMembers(row, (name, value) => [
    name.replace(new RegExp(`_${code.toLowerCase()}(?![a-z])`), '_usd'),
    value,
  ])

export const nameColumns = (head: string, { code }: ShownCurrency): string =>
  head.replaceAll(new RegExp(amountName, 'g'), `_${code.toLowerCase()}`)

const amountName = /_usd(?![a-z])/

const mapMembers = <Row extends object>(
  row: Row,
  map: (name: string, value: unknown) => readonly [string, unknown],
): Row => Object.fromEntries(Object.entries(row).map(([name, value]) => map(name, value))) as Row
