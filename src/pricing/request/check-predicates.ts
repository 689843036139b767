import type { Catalogue } from '../../catalogue/catalogue.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { type Market, marketOf, type PricingDeps } from '../market.ts'
import { resolveRegions } from '../names.ts'
import { nearestOrAll, nearestTypes, quoted } from '../not-found.ts'
import type { RequestPredicates } from './request.ts'

/**
 * Refuses predicates with an unknown name: no candidate could ever match it, and the answer would read
 * as "nothing is cheaper".
 */
export async function checkPredicates(
  deps: PricingDeps,
  organisation: string,
  predicates: RequestPredicates | undefined,
): Promise<void> {
  if (predicates !== undefined) checkPredicatesIn(deps, await marketOf(deps, organisation), predicates)
}

export function unknownNames(
  deps: PricingDeps,
  { catalogue, own }: Market,
  given: RequestPredicates,
): string[] {
  return Object.entries(kindsOf(deps, [catalogue, ...own.catalogues])).flatMap(([member, { isKnown }]) => {
    const names = given[member as CheckedMember] ?? []
    return names.includes('*') ? [] : names.filter((name) => !isKnown(name))
  })
}

export function checkPredicatesIn(
  deps: PricingDeps,
  market: Market,
  given: RequestPredicates,
  pointerTo: (member: CheckedMember, index: number) => string = (member, index) =>
    `/predicates/${member}/${index}`,
): void {
  const searched = [market.catalogue, ...market.own.catalogues]
  const errors: FieldError[] = []
  const nearest: Record<string, readonly string[]> = {}
  for (const [member, { isKnown, nearestTo }] of Object.entries(kindsOf(deps, searched))) {
    const names = given[member as CheckedMember] ?? []
    if (names.includes('*')) continue
    names.forEach((name, i) => {
      if (isKnown(name)) return
      // Similar names are listed only for the first unknown name: comparing names takes long, and a
      // request may contain many.
      nearest[member] ??= nearestTo(name)
      errors.push({ pointer: pointerTo(member as CheckedMember, i), message: `${quoted(name)} is not known` })
    })
  }
  if (errors.length > 0)
    throw new Problem('invalid', 'The request has unknown names.', { errors, extra: { nearest } })
}

type CheckedMember = 'providers' | 'regions' | 'instance_types'

interface NameKind {
  isKnown(name: string): boolean
  nearestTo(name: string): readonly string[]
}

function kindsOf(deps: PricingDeps, searched: readonly Catalogue[]): Record<CheckedMember, NameKind> {
  const facets = searched.flatMap((catalogue) => catalogue.facets())
  const all = (namesIn: (provider: (typeof facets)[number]) => readonly string[]) => [
    ...new Set(facets.flatMap(namesIn)),
  ]
  return {
    providers: {
      isKnown: (name) =>
        deps.findProvider(name) !== undefined || facets.some(({ provider }) => same(provider, name)),
      nearestTo: (name) => {
        const own = facets.map(({ provider }) => deps.findProvider(provider)?.displayName ?? provider)
        return nearestOrAll(name, [
          ...new Set([...deps.providers.map(({ displayName }) => displayName), ...own]),
        ])
      },
    },
    regions: {
      isKnown: (name) =>
        searched.some((catalogue) => catalogue.hasRegion(name) || resolveRegions(catalogue, name).length > 1),
      nearestTo: (name) =>
        nearestOrAll(
          name,
          all(({ regions }) => regions),
        ),
    },
    instance_types: {
      isKnown: (name) => searched.some(({ searchIndex }) => searchIndex.words.typesByName.has(name)),
      nearestTo: (name) => {
        const types = all((one) => one.types)
        const full = deps.providers.flatMap(({ otherTypeNames }) => otherTypeNames?.(name) ?? [])
        const meant = types.filter((type) => full.some((other) => same(other, type)))
        return meant.length > 0 ? meant : nearestTypes(undefined, name, types)
      },
    },
  }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
