import { dollars } from '../../domain/money.ts'

/** +$12.00, -$3.50, $0.00 */
export function difference(amount: number): string {
  const text = dollars(amount)
  return text.startsWith('-') || text === '$0.00' ? text : `+${text}`
}

/** Prices per hour are small, so they have six decimals, as in the API. */
export const hourly = (amount: number): string => `$${amount.toFixed(6)}`

export const formatPercent = (share: number): string => `${share.toFixed(1)}%`

/** 4 -> 4, 3.75 -> 3.75 */
export const size = (amount: number): string => String(Number(amount.toFixed(3)))

/** 1 -> 1 core, 1.5 -> 1.5 cores */
export const coreCount = (amount: number): string =>
  `${size(amount)} ${size(amount) === '1' ? 'core' : 'cores'}`

/** Names come from files and callers. Control characters and those that reverse the direction of text become U+FFFD. */
export const printable = (name: string): string => name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd')

export const noContainers =
  'No container reported usage in this period. Push it from Prometheus to /api/v1/write of `cheapside serve`, or import it: `cheapside collect --from http://prometheus:9090 --cluster NAME`.'

export const noMachines =
  'No machine reported usage in this period. Run `cheapside agent` on a machine to measure it; a running service measures its own host.'

const maxNames = 10

/** Renders: No cluster named prd reported usage in this period. Those that did: prod, test. */
export function nothingNamed(kind: string, name: string, known: readonly string[]): string {
  const names = [...new Set(known)]
  const more = names.length > maxNames ? ', ...' : ''
  const others = names.slice(0, maxNames).map(printable).join(', ')
  return `No ${kind} named ${printable(name)} reported usage in this period.${names.length === 0 ? '' : ` Those that did: ${others}${more}.`}`
}
