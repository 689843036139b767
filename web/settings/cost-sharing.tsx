import { useMemo } from 'react'
import { answer, service } from '../api/client.ts'
import { money } from '../parts/figures.ts'
import { Effect } from './rule-effect.tsx'
import type { RuleKind } from './rule-kind.ts'
import { RuleList } from './rule-list.tsx'
import { type NamespaceCost, type Sharing, sharedCosts } from './shared-costs.ts'

/** How idle cost and the cost of namespaces that all others use is divided. */
export function CostSharing({ organisation, mayChange }: { organisation: string; mayChange: boolean }) {
  const kind = useMemo(() => sharingKind(organisation), [organisation])
  return (
    <section className="card setting" aria-labelledby="sharing-title">
      <h2 id="sharing-title">Idle and shared costs</h2>
      <p className="note">
        What nodes cost beyond what runs on them, and namespaces that all others use, such as monitoring. They
        can be divided among the namespaces of their cluster; the sum stays the same.
      </p>
      <RuleList kind={kind} mayChange={mayChange} />
      {!mayChange && <p className="note">A key with the scope admin can change it.</p>}
    </section>
  )
}

const methodText = {
  apart: 'stays apart',
  by_cost: 'is divided by cost',
  evenly: 'is divided evenly',
  fixed: 'is divided by fixed shares',
} as const
const methods = [
  ['apart', 'Apart, in a row of its own'],
  ['by_cost', 'Divided by cost'],
  ['evenly', 'Divided evenly'],
  ['fixed', 'Divided by fixed shares'],
] as const

/** "shop 60, data 40" <-> { shop: 60, data: 40 }. What cannot be read is sent as it is, so that the service names it. */
const shareList = {
  show: (value: unknown) =>
    Object.entries(value as Sharing['shares'])
      .map(([name, percent]) => `${name} ${percent}`)
      .join(', '),
  parse: (text: string) =>
    Object.fromEntries(
      partsOf(text).map((part) => {
        const [name = '', percent = ''] = part.split(/[\s:=]+/)
        return [name, Number.isFinite(Number(percent)) ? Number(percent) : percent]
      }),
    ),
}
const nameList = { show: (value: unknown) => (value as readonly string[]).join(', '), parse: partsOf }

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function sharingKind(organisation: string): RuleKind<Partial<Sharing>, NamespaceCost[]> {
  return {
    key: 'cost-sharing',
    caption: 'Sharing',
    none: 'Idle and shared costs stay apart, in rows of their own.',
    member: undefined,
    formNote:
      'Name the shared namespaces to divide their cost; * matches any text. With fixed shares, each namespace gets a percentage of its cluster, and the rest stays apart. Parts of the bill are containers, machines, volumes, load_balancers and network. What pods send counts as a cost only with the percentage that leaves the cloud; otherwise it is shown beside the costs.',
    fields: [
      { name: 'idle', label: 'Idle nodes', options: methods },
      { name: 'shared', label: 'Shared namespaces', options: methods },
      {
        name: 'shared_namespaces',
        label: 'Names of shared namespaces',
        placeholder: 'kube-system, monitoring-*',
        list: nameList,
        appliesTo: ({ shared }) => shared !== 'apart',
      },
      {
        name: 'shares',
        label: 'Shares in percent',
        placeholder: 'shop 60, data 40',
        list: shareList,
        appliesTo: ({ idle, shared }) => idle === 'fixed' || shared === 'fixed',
      },
      {
        name: 'load_balancer_usd_per_month',
        label: 'A load balancer a month, in US dollars',
        placeholder: '18.25',
        isNumber: true,
      },
      {
        name: 'network_usd_per_gib',
        label: 'A GiB sent to the internet, in US dollars',
        placeholder: '0.09',
        isNumber: true,
      },
      {
        name: 'network_internet_percent',
        label: 'Percent of what pods send that goes to the internet',
        placeholder: '20',
        isNumber: true,
      },
      {
        name: 'off',
        label: 'Parts of the bill to leave out',
        placeholder: 'machines, volumes, load_balancers, network',
        list: nameList,
      },
    ],
    place: () => '',
    text: sharingText,
    load: async (signal) => {
      const { set, organisation: _, ...sharing } = await answer(service.GET('/v1/cost_sharing', { signal }))
      const rule = Object.fromEntries(Object.entries(sharing).filter(([, value]) => value !== null))
      return { rules: set ? [rule] : [], etag: '' }
    },
    preview: async ([sharing]) => sharedCosts(await namespaceCosts(), sharing),
    save: ([sharing = {}]) =>
      answer(
        service.PUT('/admin/organisations/{organisation}/cost_sharing', {
          params: { path: { organisation } },
          body: sharing,
        }),
      ),
    showEffect: (rows) => (
      <Effect
        lead={`The costs of the last ${previewDays} days would change as follows; their sum stays the same.`}
        rows={rows
          .toSorted((one, other) => changeOf(other) - changeOf(one))
          .map((row) => ({
            name: row.namespace === '' ? 'Idle' : row.namespace,
            place: row.cluster,
            before: money(row.beforeUsd),
            after: money(row.afterUsd),
            difference: `${row.afterUsd > row.beforeUsd ? '+' : ''}${money(row.afterUsd - row.beforeUsd)}`,
          }))}
      />
    ),
  }
}

const changeOf = ({ beforeUsd, afterUsd }: NamespaceCost): number => Math.abs(afterUsd - beforeUsd)

const previewDays = 14

function namespaceCosts() {
  const start_date = new Date(Date.now() - previewDays * 86_400_000).toISOString()
  const query = { group_by: 'cluster,namespace', step: 'week', sharing: 'apart', start_date } as const
  return answer(service.GET('/v1/costs', { params: { query } }))
}

/** Returns text such as "Idle cost is divided by cost. The cost of monitoring is divided evenly." */
function sharingText(sharing: Partial<Sharing>): string {
  const { idle, shared, shared_namespaces: names = [], shares = {}, off = [] } = sharing
  const loadBalancerUsd = sharing.load_balancer_usd_per_month
  const isFixed = idle === 'fixed' || shared === 'fixed'
  return [
    `Idle cost ${methodText[idle ?? 'apart']}.`,
    ...(names.length === 0 ? [] : [`The cost of ${names.join(', ')} ${methodText[shared ?? 'apart']}.`]),
    ...(loadBalancerUsd == null ? [] : [`A load balancer costs ${money(loadBalancerUsd)} a month.`]),
    ...(sharing.network_usd_per_gib == null
      ? []
      : [`A GiB sent to the internet costs ${money(sharing.network_usd_per_gib)}.`]),
    ...(off.length === 0 ? [] : [`Left out: ${off.join(', ')}.`]),
    ...(isFixed ? [`Shares: ${shareList.show(shares)} percent.`] : []),
  ].join(' ')
}
