import { Problem } from '../domain/problem.ts'
import type { Entity } from '../usage/digest/entities.ts'
import type { Market, PricingDeps } from './deps.ts'
import { findCurrent } from './find-current.ts'
import { describeNode } from './price-node.ts'

/** Why a machine is priced at base rates: the facts that it does not report, or what no price list has. */
export function whyUnpriced(deps: PricingDeps, market: Market, machine: Entity | undefined): string {
  const described = machine && describeNode(deps, market, machine)
  const reports = (name: string): boolean => Boolean(machine?.attributes.get(name)?.value)
  const missing = [
    ...(described || reports('provider') || reports('providerId') ? [] : ['provider']),
    ...(described?.region || reports('region') ? [] : ['region']),
    ...(reports('instanceType') ? [] : ['instance type']),
  ]
  if (missing.length > 0)
    return `The price of the machine is not known: it does not report its ${listed(missing)}. Let the agent report ${missing.length === 1 ? 'it' : 'them'}${ownPrice}`
  const cause = described && causeIn(() => findCurrent(deps, market, described))
  return `The price of the machine is not known: ${cause ?? 'no price list has it'}. Correct what the agent reports${ownPrice}`
}

/** Names of built-in providers are reserved, so that a price of one's own needs another. */
const ownPrice =
  ', or register a price at /marketplace/providers and let the agent report the provider named there.'

/** our catalogue has no type "cx22" of Hetzner; nearest: cx23, cx33 */
function causeIn(find: () => unknown): string | undefined {
  try {
    find()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'invalid') return undefined
    const nearest = Object.values((error.extra?.nearest ?? {}) as Record<string, readonly string[]>)
    const names = nearest.find((some) => some.length > 0)?.slice(0, mostNames)
    const said = error.message.replace(/\.$/, '').replace(/^(Our|No) /, (word) => word.toLowerCase())
    return said + (names === undefined ? '' : `; nearest: ${names.join(', ')}`)
  }
}

const mostNames = 3

/** provider, region and instance type */
const listed = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
