import { shippedDisks } from '../../catalogue/shipped-facts.ts'
import { billedUnit } from '../../domain/bill-line.ts'
import { hoursPerMonth, round, roundSum } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { Offer } from '../../domain/offer.ts'
import type { CommitmentInput } from '../commitments/schema.ts'
import { offersNamed } from '../disks/cheaper-disks.ts'
import { familyRatesIn, findCurrent } from '../find-current.ts'
import { noOwnPrices, type PricingDeps } from '../market.ts'
import { resolveRegion } from '../names.ts'
import { type PriceRule, ruledOffer } from '../rules/price-rule.ts'
import { checkPriceRules } from '../rules/store-rules.ts'
import type { BilledDiskTotal, BilledKind, BillSums } from './bill-totals.ts'
import { proposeCommitment } from './propose-commitments.ts'
import { type ComparedKind, priceTolerance, proposeRules } from './propose-rules.ts'
import type { LearnedPrices } from './schema.ts'

type Difference = LearnedPrices['differences'][number]

type PricedKind = ComparedKind & { readonly billed: BilledKind }

const maxDifferences = 50

/** Compares a bill with the listed prices and the rules that are set, and proposes what explains it. */
export function learnPrices(deps: PricingDeps, rules: readonly PriceRule[], totals: BillSums): LearnedPrices {
  const kinds = [...totals.kinds.values()].filter(({ hours, cost }) => hours > 0 && cost > 0)
  const priced = kinds.map((kind) => priceKind(deps, rules, kind))
  const known = priced.filter((kind) => kind !== undefined)
  const month = totals.firstHour.slice(0, 7)
  const proposed = proposeRules(known).map((rule) => ({ ...rule, name: `${rule.name} of ${month}` }))
  const learnt = checkPriceRules(proposed)
  const withProposed = (kind: PricedKind): number =>
    kind.billed.hours * perHour(deps, [...rules, ...learnt], kind.billed)!
  const commitments = proposedCommitments(deps, totals)
  const committedUsd = sum([...totals.commitments.values()], ({ cost }) => cost)
  const named = new Set(commitments.map(({ name }) => name))
  const explainedUsd = sum([...totals.commitments.values()], ({ id, cost }) =>
    named.has(id.slice(-200)) ? cost : 0,
  )
  const isNear = (billed: number, usd: number): boolean => Math.abs(billed - usd) <= 2 * priceTolerance * usd
  const machinesUsd = sum(kinds, ({ cost }) => cost) + committedUsd
  const disks = [...totals.disks.values()].map((disk) => diskDifference(deps, disk))
  const percent = (of: number): number => (machinesUsd > 0 ? round((100 * of) / machinesUsd, 2) : 0)
  const nearUsd = (usd: (kind: PricedKind) => number): number =>
    sum(known, (kind) => (isNear(kind.billedUsd, usd(kind)) ? kind.billedUsd : 0))
  return {
    lines: totals.lines,
    from: totals.firstHour,
    until: totals.lastHour,
    classes: [...totals.classes]
      .filter(([, { lines }]) => lines > 0)
      .map(([name, { lines, cost }]) => ({ class: name, lines, cost: roundSum(cost) })),
    on_demand: {
      now: roundSum(sum(known, ({ expectedUsd }) => expectedUsd)),
      proposed: roundSum(sum(known, withProposed)),
      billed: roundSum(sum(kinds, ({ cost }) => cost)),
    },
    disks: {
      billed: roundSum(sum(disks, ({ billed, now }) => (now === null ? 0 : billed))),
      listed: roundSum(sum(disks, ({ now }) => now ?? 0)),
    },
    exchange: exchangeOf(totals),
    rules: proposed,
    commitments,
    explained_percent: percent(nearUsd(withProposed) + explainedUsd),
    explained_percent_now: percent(nearUsd(({ expectedUsd }) => expectedUsd)),
    differences: [...kinds.map((kind, index) => differenceOf(kind, priced[index], withProposed)), ...disks]
      .filter(({ billed, proposed: after }) => after === null || !isNear(billed, after))
      .sort((a, b) => Math.abs(b.billed - (b.proposed ?? 0)) - Math.abs(a.billed - (a.proposed ?? 0)))
      .slice(0, maxDifferences),
  }
}

function differenceOf(
  kind: BilledKind,
  priced: PricedKind | undefined,
  withProposed: (kind: PricedKind) => number,
): Difference {
  return {
    provider: kind.provider,
    region: kind.region,
    instance_type: kind.instanceType,
    operating_system: kind.operatingSystem ?? null,
    quantity: round(kind.hours, 2),
    unit: 'hour',
    billed: roundSum(kind.cost),
    now: priced === undefined ? null : roundSum(priced.expectedUsd),
    proposed: priced === undefined ? null : roundSum(withProposed(priced)),
  }
}

function diskDifference(deps: PricingDeps, disk: BilledDiskTotal): Difference {
  const { provider, region, name, unit, quantity, cost } = disk
  const perMonth = listedDisk(deps, disk)
  const listed = perMonth === undefined ? null : roundSum(quantity * perMonth)
  return {
    ...{ provider, region, instance_type: name, operating_system: null, quantity: round(quantity, 2), unit },
    ...{ billed: roundSum(cost), now: listed, proposed: listed },
  }
}

/** What a month of a unit costs; undefined without a listed price. */
function listedDisk(deps: PricingDeps, { provider: name, region, name: type, unit }: BilledDiskTotal) {
  const provider = deps.findProvider(name)
  if (provider === undefined) return undefined
  const place = resolveRegion(deps.catalogue(), provider, region)
  const here = shippedDisks(provider.key).filter((offer) => offer.region === place && offer.zone === '')
  const offer = offersNamed(here, type).find(({ usageType }) => usageType === 'ONDEMAND')
  if (offer === undefined) return undefined
  const perHour = {
    'GiB-month': offer.gibPerHourUsd,
    'IOPS-month': offer.iopsPerHourUsd,
    'MB/s-month': offer.mbpsPerHourUsd,
    'disk-month': offer.gibPerHourUsd * offer.minGib,
  }
  return perHour[unit] * hoursPerMonth
}

function exchangeOf({ currencies, exchange }: BillSums): LearnedPrices['exchange'] {
  if (exchange === null || !currencies.has(exchange.from)) return null
  return { currency: exchange.from, usd: exchange.rate, day: exchange.day }
}

function priceKind(deps: PricingDeps, rules: readonly PriceRule[], billed: BilledKind) {
  const offer = listedOffer(deps, billed)
  if (offer === undefined) return undefined
  const { provider, region, family, instanceType } = offer
  return {
    provider,
    region,
    family,
    instanceType,
    billed,
    expectedUsd: billed.hours * ruledOffer(rules, offer).pricePerHourUsd,
    billedUsd: billed.cost,
  }
}

const perHour = (deps: PricingDeps, rules: readonly PriceRule[], kind: BilledKind): number | undefined => {
  const offer = listedOffer(deps, kind)
  return offer && ruledOffer(rules, offer).pricePerHourUsd
}

function listedOffer(deps: PricingDeps, { provider, region, instanceType, operatingSystem }: BilledKind) {
  if (operatingSystem === undefined || region === '') return undefined
  const billed = billedUnit(instanceType)
  if (billed !== undefined) return unitOffer(deps, provider, region, billed)
  const found = findCurrent(
    deps,
    { catalogue: deps.catalogue(), own: noOwnPrices },
    {
      provider,
      region,
      instance_type: instanceType,
      operating_system: operatingSystem,
      usage_type: 'ONDEMAND',
      availability_zone: '',
    },
  )
  return found instanceof NotFound ? undefined : found
}

/** A core or a GiB of a family; it has the name of no type, so no rule for one type explains it. */
function unitOffer(
  deps: PricingDeps,
  name: string,
  region: string,
  { family, unit }: NonNullable<ReturnType<typeof billedUnit>>,
): Offer | undefined {
  const place = {
    region,
    family,
    operatingSystem: 'Linux',
    usageType: 'ONDEMAND',
    term: '',
    zone: '',
  } as const
  const key = { provider: deps.findProvider(name)?.key ?? '', ...place }
  const rates = familyRatesIn(deps.catalogue(), key)
  if (rates === null) return undefined
  const pricePerHourUsd = unit === 'core' ? rates.corePerHourUsd : rates.gibPerHourUsd
  return {
    ...key,
    ...{ service: '', instanceType: '', architecture: '', gpuName: '', source: '', day: '' },
    ...{ vcpus: null, ramGib: null, gpuCount: 0, monthlyCapUsd: null, burstableBaseline: null },
    pricePerHourUsd,
  }
}

const proposedCommitments = (deps: PricingDeps, totals: BillSums): CommitmentInput[] =>
  [...totals.commitments.values()].flatMap((total) => {
    const provider = deps.findProvider(total.provider)
    if (provider === undefined) return []
    const price = (instanceType: string, region: string) =>
      perHour(deps, [], { ...total, instanceType, region, operatingSystem: 'Linux', hours: 1 })
    return proposeCommitment(total, provider, totals, price) ?? []
  })

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
