import type { BuiltCatalogue } from '../../catalogue/build-catalogue.ts'
import { describeManifest } from '../../catalogue/describe-catalogue.ts'
import type { CatalogueDescription } from '../../catalogue/schema.ts'
import type { ProviderDiff } from '../../catalogue/snapshot/diff.ts'
import { plural } from '../../domain/text.ts'
import { hourly } from './figures.ts'
import { fittedLines, renderTable } from './table.ts'

const maxListed = 20

export function renderBuilt({ file, bytes, id, manifest }: BuiltCatalogue): string {
  const offers = manifest.providers.reduce((sum, provider) => sum + provider.offers, 0)
  return `${renderCatalogue(describeManifest(id, offers, manifest))}\n\nWritten: ${file}, ${(bytes / 1e6).toFixed(2)} MB`
}

export function renderCatalogue({ id, built_at, offers, exchange, providers }: CatalogueDescription): string {
  const quarantined = providers.flatMap(({ provider_key: provider, quarantined: ofProvider }) =>
    ofProvider.map((price) => ({ ...price, provider })),
  )
  return [
    `Catalogue ${id.slice(0, 16)}, built ${built_at}: ${offers} offers`,
    ...(exchange === null
      ? []
      : [`1 ${exchange.from} = ${exchange.rate} ${exchange.to} of ${exchange.day} (${exchange.source})`]),
    '',
    renderTable(
      [
        ['PROVIDER', 'OFFERS', 'TYPES', 'REGIONS', 'OLDEST', 'NEWEST', 'NO SIZE', 'QUARANTINED', 'DROPPED'],
        ...providers.map(providerRow),
      ],
      [1, 2, 3, 6, 7, 8],
    ),
    ...(quarantined.length === 0
      ? []
      : [
          '',
          `${plural(quarantined.length, 'price')} quarantined as implausible:`,
          renderTable(
            quarantined
              .slice(0, maxListed)
              .map((price) => [
                `  ${price.provider} ${price.region} ${price.instance_type}`,
                `${price.operating_system} ${price.usage_type} ${price.term}`.trim(),
                hourly(price.cost_per_hour),
                price.reason,
              ]),
          ),
          ...(quarantined.length > maxListed
            ? [`  and ${quarantined.length - maxListed} more (--json lists all)`]
            : []),
        ]),
    '',
    'Sources:',
    ...sourcesOf(providers).flatMap(fittedLines),
  ].join('\n')
}

export function renderDiff(diffs: readonly ProviderDiff[]): string {
  const summary = renderTable(
    [
      ['PROVIDER', 'BEFORE', 'AFTER', 'ADDED', 'REMOVED', 'CHANGED', 'MEDIAN CHANGE', 'TYPES', 'REGIONS'],
      ...diffs.map((diff) => [
        diff.provider,
        String(diff.offersBefore),
        String(diff.offersAfter),
        String(diff.added),
        String(diff.removed),
        String(diff.moved),
        `${signed(diff.medianMovePercent)}%`,
        `+${diff.typesAdded.length} -${diff.typesRemoved.length}`,
        `+${diff.regionsAdded.length} -${diff.regionsRemoved.length}`,
      ]),
    ],
    [1, 2, 3, 4, 5, 6],
  )
  const moves = diffs.flatMap((diff) => diff.largestMoves)
  if (moves.length === 0) return summary
  return [
    summary,
    '',
    'Largest changes:',
    renderTable(
      moves.map(({ offer, beforePerHourUsd, afterPerHourUsd, percent }) => [
        `  ${offer.provider} ${offer.region} ${offer.zone}`.trimEnd(),
        offer.instanceType,
        `${offer.operatingSystem} ${offer.usageType} ${offer.term}`.trim(),
        hourly(beforePerHourUsd),
        hourly(afterPerHourUsd),
        `${signed(percent)}%`,
      ]),
      [3, 4, 5],
    ),
  ].join('\n')
}

type ShownProvider = CatalogueDescription['providers'][number]

const providerRow = (provider: ShownProvider): string[] => [
  provider.provider_key,
  String(provider.offers),
  String(provider.types),
  String(provider.regions),
  provider.oldest_day ?? '-',
  provider.newest_day ?? '-',
  String(provider.unknown_sizes.offers),
  String(provider.quarantined.length),
  String(provider.dropped.reduce((sum, { rows }) => sum + rows, 0)),
]

/** Lists only the largest sources of each provider, because a price list can name the same source in many ways. */
function sourcesOf(providers: readonly ShownProvider[]): string[] {
  return providers.flatMap(({ provider_key: provider, sources }) => {
    const largest = sources.toSorted((a, b) => b.rows - a.rows).slice(0, 4)
    const rest = sources.length - largest.length
    return [
      ...largest.map(({ source, rows }) => `  ${provider}: ${source}, ${plural(rows, 'row')}`),
      ...(rest > 0 ? [`  ${provider}: and ${rest} more (--json lists all)`] : []),
    ]
  })
}

function signed(percent: number): string {
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)}`
}
