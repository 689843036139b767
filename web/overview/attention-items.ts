import type { Catalogue } from '../catalogue/tables.ts'
import { ago, counted, day, money } from '../parts/figures.ts'
import type { Recommendation, RecommendationPage } from '../recommendations/queries.ts'
import { addressOf } from '../state/router.ts'
import { faultsOf, type UsageSource } from '../usage/sources.ts'
import type { AttentionItem } from './attention.tsx'
import type { MachineSpend, SpendFigures } from './figures-of.ts'

const dayMs = 86_400_000
const oldPriceDays = 60
/** A source that is silent for longer was probably removed. */
const maxSilentDays = 14
const maxNamed = 3

interface Known {
  readonly sources: readonly UsageSource[] | undefined
  readonly figures: SpendFigures
  readonly machines: MachineSpend
  readonly recommendations: RecommendationPage | undefined
  readonly catalogue: Catalogue | undefined
  readonly now: number
  readonly kept: URLSearchParams
}

/** Returns what needs attention, most urgent first. */
export function attentionItems(known: Known): AttentionItem[] {
  const { sources = [], figures, machines, recommendations, catalogue, now, kept } = known
  return [
    ...findingItems(recommendations, kept),
    ...silentItems(sources, now),
    ...sourceItems(sources),
    ...refreshItems(catalogue?.providers ?? []),
    ...priceItems(recommendations?.recommendations ?? [], now),
    ...estimateItems(
      figures.estimatedPerMonth + machines.estimatedPerMonth,
      figures.perMonth + machines.perMonth,
    ),
  ]
}

const findingTexts: Readonly<Record<string, readonly [one: string, many: string, text: string]>> = {
  'crash-loop': [
    'container restarts again and again',
    'containers restart again and again',
    'Find out why before changing a size.',
  ],
  'oom-kills': [
    'container was OOM-killed',
    'containers were OOM-killed',
    'Add memory before saving anything else.',
  ],
  leak: ['container seems to leak memory', 'containers seem to leak memory', 'Memory grows from day to day.'],
  'no-requests': [
    'container requests no CPU or no memory',
    'containers request no CPU or no memory',
    'Nothing is reserved on their nodes.',
  ],
  throttled: [
    'container is throttled by its CPU limit',
    'containers are throttled by their CPU limit',
    'More CPU is needed than the limit allows.',
  ],
}

function findingItems(
  recommendations: RecommendationPage | undefined,
  kept: URLSearchParams,
): AttentionItem[] {
  const facet = recommendations?.facets.finding ?? []
  return Object.entries(findingTexts).flatMap(([finding, [one, many, text]]) => {
    const found = facet.find(({ value }) => value === finding)?.count ?? 0
    if (found === 0) return []
    const params = new URLSearchParams(kept)
    params.set('finding', finding)
    return [
      {
        id: finding,
        icon: 'warning' as const,
        title: counted(found, one, many),
        text,
        href: addressOf(['recommendations'], params),
      },
    ]
  })
}

function silentItems(sources: readonly UsageSource[], now: number): AttentionItem[] {
  return (['cluster', 'machine'] as const).flatMap((kind) => {
    const silent = sources.filter(
      (source) =>
        source.kind === kind &&
        source.is_silent &&
        now - Date.parse(source.last_seen) < maxSilentDays * dayMs,
    )
    if (silent.length === 0) return []
    const named = silent.slice(0, maxNamed).map(({ name, last_seen }) => `${name} (${ago(last_seen, now)})`)
    const rest = silent.length > maxNamed ? ` and ${silent.length - maxNamed} more` : ''
    const what = kind === 'cluster' ? ['cluster', 'clusters'] : ['agent', 'agents']
    return [
      {
        id: `silent-${kind}`,
        icon: 'plug' as const,
        title: `${counted(silent.length, what[0]!, what[1]!)} stopped reporting`,
        text: `No usage is received from ${named.join(', ')}${rest}.`,
        ...(kind === 'machine' ? { href: addressOf(['machines']) } : {}),
      },
    ]
  })
}

/** What senders of usage lack or do wrong, with a link to the remedy. */
function sourceItems(sources: readonly UsageSource[]): AttentionItem[] {
  const troubled = sources.filter((source) => !source.is_silent && faultsOf(source).length > 0)
  if (troubled.length === 0) return []
  const [first] = troubled as [UsageSource]
  return [
    {
      id: 'sources',
      icon: 'plug',
      title: `${counted(troubled.length, 'source')} of usage ${troubled.length === 1 ? 'has' : 'have'} a problem`,
      text: `${first.name}: ${faultsOf(first)[0]!.message}`,
      href: `${addressOf(['settings'])}#sources-title`,
    },
  ]
}

/** Price lists that the service could not read, or does not believe. */
function refreshItems(providers: Catalogue['providers']): AttentionItem[] {
  const failed = providers.filter(({ refresh }) => ['failed', 'refused'].includes(refresh?.outcome ?? ''))
  if (failed.length === 0) return []
  return [
    {
      id: 'refresh',
      icon: 'clock',
      title: `Prices of ${failed.map(({ provider }) => provider).join(', ')} could not be refreshed`,
      text: `The previous ones stay in use: ${failed[0]!.refresh!.reason}.`,
      href: addressOf(['prices', 'catalogue']),
    },
  ]
}

function priceItems(recommendations: readonly Recommendation[], now: number): AttentionItem[] {
  const oldest = recommendations.flatMap(({ price_date }) => price_date ?? []).sort()[0]
  if (oldest === undefined || now - Date.parse(oldest) < oldPriceDays * dayMs) return []
  return [
    {
      id: 'old-prices',
      icon: 'clock',
      title: 'Prices are old',
      text: `The oldest price behind the top recommendations is from ${day(oldest)}, ${ago(oldest, now)}. Refresh them in the settings.`,
      href: addressOf(['settings']),
    },
  ]
}

function estimateItems(estimatedPerMonth: number, perMonth: number): AttentionItem[] {
  if (estimatedPerMonth < 0.005) return []
  const share = Math.max(1, Math.round((100 * estimatedPerMonth) / perMonth))
  return [
    {
      id: 'estimates',
      icon: 'info',
      title: `${money(estimatedPerMonth)} per month is an estimate`,
      text: `${share}% of the spend is on nodes and machines whose price is not known; it is estimated at base rates.`,
    },
  ]
}
