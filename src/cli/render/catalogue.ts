import type { BuiltCatalogue } from '../../catalogue/build-catalogue.ts'
import type { ProviderDiff } from '../../catalogue/snapshot/diff.ts'
import type { BuildManifest, ProviderManifest } from '../../domain/manifest.ts'
import { plural } from '../../domain/text.ts'
import { hourly } from './figures.ts'
import { renderTable } from './table.ts'

const maxListed = 20

export function renderBuilt({ file, bytes, id, manifest }: BuiltCatalogue): string {
  const offers = manifest.providers.reduce((sum, provider) => sum + provider.offers, 0)
  return `${renderManifest(id, offers, manifest)}\n\nWritten: ${file}, ${(bytes / 1e6).toFixed(2)} MB`
}

export function renderManifest(id: string, offers: number, manifest: BuildManifest): string {
  const { exchange, providers, builtAt } = manifest
  const quarantined = providers.flatMap((provider) => provider.quarantined)
  return [
    `Catalogue ${id.slice(0, 16)}, built ${builtAt}: ${offers} offers`,
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
                `  ${price.provider} ${price.region} ${price.instanceType}`,
                `${price.operatingSystem} ${price.usageType} ${price.term}`.trim(),
                hourly(price.pricePerHourUsd),
                price.reason,
              ]),
          ),
          ...(quarantined.length > maxListed
            ? [`  and ${quarantined.length - maxListed} more (--json lists all)`]
            : []),
        ]),
    '',
    'Sources:',
    ...sourcesOf(providers),
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

function providerRow(provider: ProviderManifest): string[] {
  const days = provider.sources.map(({ day }) => day).sort()
  return [
    provider.provider,
    String(provider.offers),
    String(provider.types),
    String(provider.regions),
    days[0] ?? '-',
    days.at(-1) ?? '-',
    String(provider.unknownSizes.offers),
    String(provider.quarantined.length),
    String(provider.dropped.reduce((sum, { rows }) => sum + rows, 0)),
  ]
}

/** Lists only the largest sources of each provider, because a price list can name the same source in many ways. */
function sourcesOf(providers: readonly ProviderManifest[]): string[] {
  return providers.flatMap(({ provider, sources }) => {
    const largest = sources.toSorted((a, b) => b.rows - a.rows).slice(0, 4)
    const rest = sources.length - largest.length
    return [
      ...largest.map(({ text, rows }) => `  ${provider}: ${text}, ${plural(rows, 'row')}`),
      ...(rest > 0 ? [`  ${provider}: and ${rest} more (--json lists all)`] : []),
    ]
  })
}

function signed(percent: number): string {
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)}`
}
