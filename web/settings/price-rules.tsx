import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { sourceNames } from '../compare/words.ts'
import { count, counted, hourly, money, small } from '../parts/figures.ts'
import { Effect } from './rule-effect.tsx'
import type { RuleKind } from './rule-kind.ts'
import { RuleList } from './rule-list.tsx'

type Put = paths['/v1/price_rules']['put']
type PriceRule =
  paths['/v1/price_rules']['get']['responses'][200]['content']['application/json']['rules'][number]
type Preview = NonNullable<Put['responses'][200]['content']['application/json']['preview']>

/** Discounts, fixed prices and fees that the organisation has agreed on with providers. */
export function PriceRules({ mayChange }: { mayChange: boolean }) {
  return (
    <section className="card setting" aria-labelledby="price-rules-title" id="price-rules">
      <h2 id="price-rules-title">Price rules</h2>
      <p className="note">
        Your discounts, fixed prices and fees. They change list prices wherever your organisation sees a
        price.
      </p>
      <RuleList kind={priceRules} mayChange={mayChange} />
      {!mayChange && <p className="note">A key with the scope marketplace:write can change them.</p>}
    </section>
  )
}

export const putPriceRules = (rules: readonly PriceRule[], query: { dry_run: boolean }, etag?: string) =>
  answer(
    service.PUT('/v1/price_rules', {
      params: { query },
      ...(etag === undefined ? {} : { headers: { 'if-match': etag } }),
      body: { rules: [...rules] },
    }),
  )

export const priceRules: RuleKind<PriceRule, Preview> = {
  key: 'price-rules',
  caption: 'Price rules',
  none: 'No price rules are set: list prices apply as they are.',
  member: 'rules',
  order: 'All rules that match apply, from the first to the last.',
  formNote: 'Set one of the three changes. * matches any text; empty fields match everything.',
  fields: [
    { name: 'name', label: 'Name', placeholder: 'Enterprise discount' },
    { name: 'provider', label: 'Provider', note: 'empty: all', placeholder: 'aws' },
    { name: 'percent_off', label: 'Percent off', note: '%', isNumber: true },
    { name: 'price_per_hour_usd', label: 'Fixed price', note: '$ per hour', isNumber: true },
    { name: 'add_per_hour_usd', label: 'Added', note: '$ per hour', isNumber: true },
    { name: 'region', label: 'Region', note: 'empty: all', placeholder: 'eu-*' },
    { name: 'family', label: 'Family', note: 'empty: all', placeholder: 'm7*' },
    { name: 'instance_type', label: 'Instance type', note: 'empty: all', placeholder: 'm7a.*' },
    {
      name: 'usage_type',
      label: 'Payment',
      options: [
        ['', 'All'],
        ['ONDEMAND', 'On demand'],
        ['RESERVED', 'Reserved'],
        ['SPOT_PREEMPTIBLE', 'Spot'],
      ],
    },
    {
      name: 'operating_system',
      label: 'System',
      options: [
        ['', 'All'],
        ['Linux', 'Linux'],
        ['Windows', 'Windows'],
      ],
    },
    { name: 'valid_from', label: 'First day', isDate: true },
    { name: 'valid_until', label: 'Last day', isDate: true },
  ],
  place: ({ name }) => name,
  text: priceRuleText,
  load: (signal) => answer(service.GET('/v1/price_rules', { signal })),
  preview: async (rules) => (await putPriceRules(rules, { dry_run: true })).preview!,
  save: (rules, etag) => putPriceRules(rules, { dry_run: false }, etag),
  showEffect: (of) => (
    <Effect
      lead={`${count(of.changed_machines)} of ${counted(of.machines, 'node or machine', 'nodes and machines')} would get another price.`}
      perMonth={of.cost_per_month}
      rows={of.changes.map((change) => ({
        name: change.instance_type ?? change.machines.join(', '),
        place: [change.provider, change.region, `${count(change.count)} of them`].filter(Boolean).join(', '),
        before: `${hourly(change.before.cost_per_hour)}/h`,
        after: `${hourly(change.after.cost_per_hour)}/h, ${sourceText(change.after.price_source)}`,
        difference: money(change.difference_per_month),
      }))}
    />
  ),
}

const sourceText = (source: string): string =>
  Object.entries(sourceNames).find(([name]) => name === source)?.[1] ?? source

/** Returns text such as "12% off on aws, m7a.*, on demand". */
export function priceRuleText(rule: PriceRule): string {
  const { percent_off: off, price_per_hour_usd: fixed, add_per_hour_usd: added } = rule
  const change =
    off !== undefined
      ? off < 0
        ? `${small(-off)}% more`
        : `${small(off)}% off`
      : fixed !== undefined
        ? `${hourly(fixed)} an hour`
        : `${hourly(added ?? 0)} added an hour`
  const { provider, region, family, instance_type, usage_type, operating_system } = rule
  const places = [provider, region, family, instance_type, usage_type, operating_system].filter(Boolean)
  const days = [
    ...(rule.valid_from === undefined ? [] : [`from ${rule.valid_from}`]),
    ...(rule.valid_until === undefined ? [] : [`until ${rule.valid_until}`]),
  ]
  return [`${change} ${places.length === 0 ? 'everything' : places.join(', ')}`, ...days].join(' ')
}
