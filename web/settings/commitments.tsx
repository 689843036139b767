import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { Badge } from '../parts/badge.tsx'
import { cores, counted, day, gib, hourly, money, percent, small, textWithAmounts } from '../parts/figures.ts'
import { Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { PlainTable } from '../parts/table/plain-table.tsx'
import type { RuleKind, RuleTexts } from './rule-kind.ts'
import { RuleList } from './rule-list.tsx'

type Get<Path extends '/v1/commitments' | '/v1/commitments/coverage'> =
  paths[Path]['get']['responses'][200]['content']['application/json']
type Commitment = Get<'/v1/commitments'>['commitments'][number]
type Coverage = Get<'/v1/commitments/coverage'>
type Covered = Coverage['covered'][number]

/** Reserved instances, savings plans and committed use, and what they cover now. */
export function Commitments({ mayChange }: { mayChange: boolean }) {
  const { data, error, refetch } = useCoverage()
  return (
    <section className="card setting" aria-labelledby="commitments-title">
      <h2 id="commitments-title">Commitments</h2>
      <p className="note">
        Reserved instances, savings plans and committed use that you have bought. A machine that one of them
        covers saves less if you give it up.
      </p>
      <RuleList kind={commitments} mayChange={mayChange} />
      {error !== null && <Trouble error={error} again={() => void refetch()} />}
      {data !== undefined && data.commitments.length > 0 && (
        <>
          <p>{coverageText(data)}</p>
          <p className="note">{textWithAmounts(data.note)}</p>
          {data.covered.length > 0 && (
            <PlainTable
              caption="Covered machines"
              columns={coveredColumns}
              rows={data.covered}
              rowId={(row) => [row.provider, row.region, row.instance_type, row.operating_system].join()}
            />
          )}
        </>
      )}
    </section>
  )
}

const useCoverage = () =>
  useQuery({
    queryKey: ['commitment-coverage'],
    queryFn: ({ signal }) => answer(service.GET('/v1/commitments/coverage', { signal })),
  })

const coverageText = (of: Coverage): string =>
  `Now, ${percent(of.coverage_percent)} of what commitments can cover is covered: ${hourly(of.covered_per_hour)} of ${hourly(of.on_demand_per_hour)} an hour, at on-demand prices, for ${counted(of.machines, 'node or machine', 'nodes and machines')}.`

/** How much of a commitment is used in this hour. */
function Utilisation({ rule }: { rule: Commitment }) {
  const use = useCoverage().data?.commitments.find(({ name }) => name === rule.name)
  if (use === undefined) return null
  if (!use.is_active) return <Badge>not in force today</Badge>
  const { utilisation_percent: used, unused_per_month: unused } = use
  return (
    <Badge tone={used !== null && used < lowUse ? 'warn' : 'good'}>
      {percent(used)} used{unused !== null && unused > 0 && `, ${money(unused)} a month unused`}
    </Badge>
  )
}

/** In percent. Below it a commitment is shown as a warning. */
const lowUse = 80

const coveredColumns: readonly Column<Covered>[] = [
  {
    id: 'type',
    header: 'Machines',
    value: ({ instance_type }) => instance_type,
    cell: ({ instance_type, count, provider, region, operating_system }) => (
      <span className="two-lines">
        <b>
          {count} x {instance_type}
        </b>
        <span>{[provider, region, operating_system].join(', ')}</span>
      </span>
    ),
  },
  {
    id: 'covered',
    header: 'Covered',
    value: ({ covered_percent }) => covered_percent,
    cell: ({ covered_percent }) => percent(covered_percent),
    number: true,
  },
  {
    id: 'leaving',
    header: 'One less saves',
    value: ({ leaving }) => leaving.saves_per_month,
    cell: ({ leaving }) => (
      <span className="two-lines">
        {money(leaving.saves_per_month)}
        <span>per month until {day(leaving.until)}</span>
      </span>
    ),
    number: true,
  },
  {
    id: 'after',
    header: 'Afterwards',
    value: ({ leaving }) => leaving.saves_per_month_after,
    cell: ({ leaving }) => money(leaving.saves_per_month_after),
    number: true,
    minor: true,
  },
  {
    id: 'by',
    header: 'Covered by',
    value: ({ commitments }) => commitments.join(', '),
    extra: true,
  },
]

const put = (rules: readonly Commitment[], query: { dry_run: boolean }, etag?: string) =>
  answer(
    service.PUT('/v1/commitments', {
      params: { query },
      ...(etag === undefined ? {} : { headers: { 'if-match': etag } }),
      body: { commitments: [...rules] },
    }),
  )

const isKind =
  (...kinds: readonly Commitment['kind'][]) =>
  ({ kind }: RuleTexts): boolean =>
    kinds.some((each) => each === kind)
const isReservation = isKind('reserved_instance')
const isPlan = isKind('savings_plan')
const isCommittedUse = isKind('committed_use')

const kindOptions = [
  ['reserved_instance', 'Reserved instances'],
  ['savings_plan', 'Savings plan'],
  ['committed_use', 'Committed use'],
] as const

const commitments: RuleKind<Commitment, Coverage> = {
  key: 'commitments',
  caption: 'Commitments',
  none: 'No commitments are set.',
  member: 'commitments',
  formNote:
    'Enter what one order at the provider covers. The zone, the discount of a plan and what other accounts use can be set as YAML.',
  fields: [
    { name: 'name', label: 'Name', note: 'such as its id', placeholder: 'sp-2026' },
    { name: 'kind', label: 'Kind', options: kindOptions },
    { name: 'provider', label: 'Provider', placeholder: 'aws' },
    { name: 'region', label: 'Region', note: 'empty: all', placeholder: 'us-east-1' },
    { name: 'instance_type', label: 'Instance type', placeholder: 'm5.xlarge', appliesTo: isReservation },
    { name: 'instances', label: 'Instances', isNumber: true, appliesTo: isReservation },
    { name: 'usd_per_hour', label: 'Commitment', note: '$ per hour', isNumber: true, appliesTo: isPlan },
    {
      name: 'family',
      label: 'Family or series',
      note: 'empty: all of a savings plan',
      placeholder: 'm5',
      appliesTo: isKind('savings_plan', 'committed_use'),
    },
    { name: 'vcpus', label: 'Cores', isNumber: true, appliesTo: isCommittedUse },
    { name: 'memory_gib', label: 'Memory', note: 'GiB', isNumber: true, appliesTo: isCommittedUse },
    {
      name: 'operating_system',
      label: 'System',
      options: [
        ['', 'All'],
        ['Linux', 'Linux'],
        ['Windows', 'Windows'],
      ],
      appliesTo: isReservation,
    },
    { name: 'cost_per_hour_usd', label: 'Cost', note: '$ per hour for all of it, if known', isNumber: true },
    { name: 'from', label: 'First day', isDate: true },
    { name: 'until', label: 'Last day', isDate: true },
  ],
  place: ({ name }) => name,
  text: commitmentText,
  Detail: Utilisation,
  load: (signal) =>
    answer(service.GET('/v1/commitments', { signal })).then(({ commitments: rules, etag }) => ({
      rules,
      etag,
    })),
  preview: async (rules) => (await put(rules, { dry_run: true })).coverage!,
  save: (rules, etag) => put(rules, { dry_run: false }, etag),
  showEffect: (of) => (
    <>
      <p>{coverageText(of)}</p>
      <ul className="plain-list">
        {of.commitments.map(({ name, is_active, utilisation_percent: used, unused_per_month: unused }) => (
          <li key={name}>
            <b>{name}</b>{' '}
            {is_active
              ? `${percent(used)} used${unused === null || unused === 0 ? '' : `, ${money(unused)} a month unused`}`
              : 'not in force today'}
          </li>
        ))}
      </ul>
    </>
  ),
}

/** Returns text such as "20 m5.xlarge reserved on aws, us-east-1, until 31 Dec 2027". */
function commitmentText(of: Commitment): string {
  const { kind, provider, region, instance_type, family, instances = 0, usd_per_hour = 0 } = of
  const what =
    kind === 'reserved_instance'
      ? `${small(instances)} ${instance_type} reserved on ${provider}`
      : kind === 'savings_plan'
        ? `savings plan of ${hourly(usd_per_hour)} an hour on ${provider}`
        : `committed use of ${[
            ...(of.vcpus === undefined ? [] : [cores(of.vcpus)]),
            ...(of.memory_gib === undefined ? [] : [gib(of.memory_gib)]),
          ].join(' and ')} on ${provider}`
  return [what, family, region, of.operating_system, `until ${day(of.until)}`].filter(Boolean).join(', ')
}
