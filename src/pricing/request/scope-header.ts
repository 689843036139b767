import { oncePer } from '../../runtime/cache.ts'
import { isBeyondSize, type RecommendationRequest } from './request.ts'
import type { SearchScope } from './scope.ts'

export function scopeFor(
  request: RecommendationRequest,
  scope: SearchScope,
  unknown: readonly string[] = [],
): string {
  const text = isBeyondSize(request) ? `${scopeText(scope)}, usage_beyond_vm=?1` : scopeText(scope)
  return unknown.length === 0 ? text : `${text}, unknown=${named(unknown)}`
}

/**
 * Returns the text of a scope: a dictionary as defined by RFC 9651, in which "*" limits nothing. Requests without
 * predicates share their scopes.
 */
export const scopeText = oncePer((scope: SearchScope): string => {
  const { predicates, architectures, near, withoutLocalZones, termLength } = scope
  const { usageTypes, regions, availabilityZones, providers, instanceTypes } = predicates
  const more = near === undefined || near.area === '' ? [] : near.places
  return [
    `usage_types=${named(usageTypes)}`,
    ...(termLength === undefined ? [] : [`term=${quoted(termLength)}`]),
    `regions=${near === undefined ? named(regions) : near.area === '' ? named(near.places.map(({ region }) => region)) : quoted(near.area)}`,
    ...(more.length === 0 ? [] : [`more_regions=${named(more.map(({ region }) => region))}`]),
    `availability_zones=${named(availabilityZones)}`,
    `local_zones=?${withoutLocalZones ? 0 : 1}`,
    `providers=${named(providers)}`,
    `instance_types=${named(instanceTypes)}`,
    `architectures=${named(architectures)}`,
  ].join(', ')
})

/** Names that do not fit are counted: ("a" "b");more=3 */
function named(names: readonly string[] | undefined): string {
  if (names === undefined) return '"*"'
  if (names.length === 1) return `(${quoted(names[0]!)})`
  const distinct = [...new Set(names)]
  const list = `(${distinct.slice(0, maxNames).map(quoted).join(' ')})`
  return distinct.length > maxNames ? `${list};more=${distinct.length - maxNames}` : list
}

const maxNames = 20

/** Quotes a text. Names of marketplace providers may contain any character, but a header must not. */
function quoted(text: string): string {
  if (ordinaryName.test(text)) return `"${text}"`
  return `"${text
    .slice(0, 100)
    .replace(/[^\x20-\x7e]/g, '?')
    .replace(/["\\]/g, '\\$&')}"`
}

const ordinaryName = /^[\w .-]{1,100}$/
