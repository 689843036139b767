import type { paths } from '../api/schema.ts'

export type Catalogue = paths['/catalogue']['get']['responses'][200]['content']['application/json']

/** Converts a catalogue to table rows. */
export function tablesOf({ providers }: Catalogue) {
  const sources = providers.flatMap(({ provider, sources: own }) =>
    own.map((source) => ({ id: `${provider} ${source.source}`, provider, ...source })),
  )
  const days = sources.map((source) => source.day).sort()
  return {
    sources,
    newest: days.at(-1),
    oldest: days[0],
    quarantined: providers.flatMap(({ provider, quarantined }) =>
      quarantined.map((price, i) => ({ id: `${provider} ${i}`, provider, ...price })),
    ),
    rules: providers.flatMap(({ provider, filled, dropped, unknown_sizes }) => [
      ...filled.map(({ what, rule, types, offers }) => ({
        id: `${provider} ${what} ${rule}`,
        provider,
        kind: `Completed: ${what}`,
        rule,
        types: types as number | null,
        rows: offers,
      })),
      ...dropped.map(({ reason, rows, example }) => ({
        id: `${provider} dropped ${reason}`,
        provider,
        kind: 'Left out',
        rule: `${reason}, such as ${example}`,
        types: null,
        rows,
      })),
      ...(unknown_sizes.offers === 0
        ? []
        : [
            {
              id: `${provider} sizes`,
              provider,
              kind: 'Size unknown',
              rule: `Priced, but never a candidate: ${unknown_sizes.types.slice(0, 5).join(', ')}${unknown_sizes.types.length > 5 ? ', …' : ''}`,
              types: unknown_sizes.types.length,
              rows: unknown_sizes.offers,
            },
          ]),
    ]),
  }
}

export type SourceRow = ReturnType<typeof tablesOf>['sources'][number]
export type QuarantineRow = ReturnType<typeof tablesOf>['quarantined'][number]
export type RuleRow = ReturnType<typeof tablesOf>['rules'][number]
