import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { counted, cpuRequest, memoryRequest, money } from '../parts/figures.ts'
import { profileOptions } from './profile-options.ts'
import { Effect, type EffectRow } from './rule-effect.tsx'
import type { RuleKind } from './rule-kind.ts'
import { limitWords, type Rule, rulePlace, ruleText } from './rule-words.ts'

type Put = paths['/admin/organisations/{organisation}/sizing_rules']['put']
type WouldChange = NonNullable<Put['responses'][200]['content']['application/json']['would_change']>

/** The bounds of sizes. All matching rules apply, later ones override earlier ones. */
export function sizingRules(organisation: string): RuleKind<Rule, WouldChange> {
  const put = (rules: readonly Rule[], more: { query?: { dry_run: true }; etag?: string }) =>
    answer(
      service.PUT('/admin/organisations/{organisation}/sizing_rules', {
        params: { path: { organisation }, ...(more.query && { query: more.query }) },
        ...(more.etag === undefined ? {} : { headers: { 'if-match': more.etag } }),
        body: { rules: [...rules] },
      }),
    )
  return {
    key: 'sizing-rules',
    caption: 'Sizing rules',
    none: 'No sizing rules are set: only the bounds of the profile apply.',
    member: 'rules',
    order: 'If several rules match, later ones override earlier ones.',
    formNote: '* matches any text. Images, labels, risk, owners and exclusions can be set as YAML.',
    fields: [
      { name: 'cluster', label: 'Cluster', note: 'empty: all', placeholder: 'prod-*' },
      { name: 'namespace', label: 'Namespace', note: 'empty: all', placeholder: 'team-*' },
      { name: 'workload', label: 'Workload', note: 'empty: all', placeholder: 'Deployment/web' },
      { name: 'container', label: 'Container', note: 'empty: all' },
      { name: 'profile', label: 'Profile', options: [['', 'As the organisation'], ...profileOptions] },
      {
        name: 'qos',
        label: 'QoS class',
        options: [
          ['', 'Unchanged'],
          ['guaranteed', 'Guaranteed: limits equal requests'],
          ['burstable', 'Burstable'],
        ],
      },
      { name: 'min_cpu', label: 'CPU at least', note: 'cores', isNumber: true },
      { name: 'max_cpu', label: 'CPU at most', note: 'cores', isNumber: true },
      { name: 'min_memory', label: 'Memory at least', note: 'GiB', isNumber: true },
      { name: 'max_memory', label: 'Memory at most', note: 'GiB', isNumber: true },
      {
        name: 'limits',
        label: 'CPU limits',
        options: [['', 'As in the profile'], ...Object.entries(limitWords)],
      },
      { name: 'cpu_memory_ratio', label: 'GiB for each core', note: 'or a range', placeholder: '1-6.5' },
    ],
    place: rulePlace,
    text: ruleText,
    load: (signal) => answer(service.GET('/v1/sizing_rules', { signal })),
    preview: async (rules) => (await put(rules, { query: { dry_run: true } })).would_change!,
    save: (rules, etag) => put(rules, { etag }),
    showEffect: (of) => (
      <Effect
        lead={[
          `${counted(of.containers, 'container')} would get another size.`,
          ...of.unmatched_rules.map((position) => `Rule ${position} applies to no container.`),
        ].join(' ')}
        perMonth={of.cost_per_month}
        rows={of.largest.map(rowOf)}
      />
    ),
  }
}

function rowOf(of: WouldChange['largest'][number]): EffectRow {
  const { cluster, namespace, workload, container, before, after } = of
  const size = ({ cpu_cores, memory_gib }: typeof before) =>
    `${cpuRequest(cpu_cores)}, ${memoryRequest(memory_gib)}`
  return {
    name: container,
    place: `${cluster} / ${namespace} / ${workload}`,
    before: size(before),
    after: size(after),
    difference: money(of.cost_per_month.after - of.cost_per_month.before),
  }
}
