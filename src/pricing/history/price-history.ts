import { historyDays, unpackChanges } from '../../catalogue/refresh/price-changes.ts'
import type { BuildManifest } from '../../domain/manifest.ts'
import { parseOperatingSystem, parseUsageType } from '../../domain/names.ts'
import type { NotFound } from '../../domain/not-found.ts'
import { operatingSystems, terms, usageTypes } from '../../domain/offer.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { dayMs, parseTime } from '../../domain/time.ts'
import type { PriceStore } from '../../store/port-prices.ts'
import { marketOf, type PricingDeps } from '../market.ts'
import { knownNames, noPrice, unknownProvider } from '../not-found.ts'
import { type KnownSince, PriceSeriesBuilder, type PriceSeriesQuery, spreadDays } from './price-series.ts'
import type { PriceHistory, PriceHistoryQuery } from './schema.ts'

export interface PriceHistoryDeps extends PricingDeps {
  readonly store: { readonly prices: PriceStore }
  manifest(): BuildManifest
  now(): number
}

const defaultDays = 90

export async function priceHistory(
  deps: PriceHistoryDeps,
  organisation: string,
  request: PriceHistoryQuery,
): Promise<PriceHistory | NotFound> {
  const seriesQuery = parse(request, deps.now())
  const provider = deps.findProvider(request.provider)
  // The history is that of price lists, so rules are left out.
  const market = await marketOf({ ...deps, ruled: () => undefined }, organisation)
  if (provider === undefined) return unknownProvider(deps, market.own, request.provider)
  const place = { provider: provider.key, region: request.region, instanceType: request.instance_type }
  const systems = seriesQuery.operatingSystem === undefined ? operatingSystems : [seriesQuery.operatingSystem]
  const current = systems.flatMap((operatingSystem) =>
    market.catalogue.offersOf({
      ...place,
      operatingSystem,
      ...(seriesQuery.usageType && { usageType: seriesQuery.usageType }),
    }),
  )
  const typeName = nameOf(market.catalogue.typesOf(provider.key), request.instance_type)
  const since = Math.min(seriesQuery.from, deps.now() - spreadDays * dayMs)
  const of = { provider: provider.key, instanceType: current[0]?.instanceType ?? typeName }
  const records = await deps.store.prices.history({ ...of, from: since, until: Number.MAX_SAFE_INTEGER })
  const series = new PriceSeriesBuilder(seriesQuery, request.region, knownSince(deps, provider.key))
  for (const offer of current) series.current(offer)
  for (const { at, usageType, packed } of records)
    for (const change of unpackChanges(packed)) series.change(at, usageType, change)
  const unmoved = series.unmoved()
  if (usageTypes.some(unmoved.has)) {
    const earlier = await deps.store.prices.history({ ...of, from: 0, until: since })
    for (const { at, usageType, packed } of earlier.reverse())
      if (unmoved.has(usageType))
        for (const change of unpackChanges(packed)) unmoved.earlier(at, usageType, change)
  }
  const found = series.finish(deps.now())
  if (found.length === 0) {
    const operatingSystem = seriesQuery.operatingSystem ?? 'Linux'
    const usageType = seriesQuery.usageType ?? 'ONDEMAND'
    return noPrice(market, { ...place, service: '', zone: '', operatingSystem, usageType }, provider)
  }
  return {
    provider: provider.displayName,
    region: current[0]?.region ?? request.region,
    instance_type: of.instanceType,
    start_date: new Date(seriesQuery.from).toISOString(),
    end_date: new Date(seriesQuery.until).toISOString(),
    series: found,
  }
}

function parse(request: PriceHistoryQuery, nowMs: number): PriceSeriesQuery {
  const errors: FieldError[] = []
  const read = <T>(
    name: string,
    text: string | undefined,
    parsed: (text: string) => T | undefined,
    needs: string,
  ) => {
    if (text === undefined || text === '') return undefined
    const value = parsed(text)
    if (value === undefined) errors.push({ pointer: `?${name}`, message: needs })
    return value
  }
  const time = 'must be a time such as 2026-11-01T00:00:00Z'
  const until = read('end_date', request.end_date, parseTime, time) ?? nowMs
  const from = read('start_date', request.start_date, parseTime, time) ?? until - defaultDays * dayMs
  const seriesQuery: PriceSeriesQuery = {
    operatingSystem: read(
      'operating_system',
      request.operating_system,
      parseOperatingSystem,
      knownNames(operatingSystems),
    ),
    usageType: read('usage_type', request.usage_type, parseUsageType, knownNames(usageTypes)),
    term: read(
      'term',
      request.term,
      (text) => terms.find((term) => term === text.toLowerCase()),
      knownNames(terms.slice(1)),
    ),
    zone: request.availability_zone?.toLowerCase() || undefined,
    from,
    until,
  }
  if (errors.length === 0 && from >= until)
    errors.push({ pointer: '?start_date', message: 'must be before end_date' })
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  return seriesQuery
}

/** Returns since when changes are known: since they have been recorded, but no longer than they are kept. */
function knownSince({ manifest, now }: PriceHistoryDeps, key: string): KnownSince {
  const of = manifest().providers.find(({ provider }) => provider === key)
  const began = of?.refresh?.historySince ?? null
  return (usageType) => {
    const kept = now() - historyDays[usageType] * dayMs
    return began === null || Date.parse(began) >= kept ? began : new Date(kept).toISOString()
  }
}

const nameOf = (names: readonly string[], name: string): string =>
  names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
