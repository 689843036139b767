/** How usage varies: over the day, in office hours, at night, not at all, unused, or with growing memory. */
export type DemoShape = 'day' | 'office' | 'night' | 'flat' | 'idle' | 'leak'

interface DemoWorkload {
  readonly cluster: string
  readonly namespace: string
  /** Kind and name, separated by a slash. */
  readonly owner: string
  readonly container: string
  readonly replicas: number
  readonly requests: { readonly cores: number; readonly gib: number }
  readonly limits?: { readonly cores?: number; readonly gib?: number }
  /** Mean usage of a replica. */
  readonly use: { readonly cores: number; readonly gib: number }
  readonly shape: DemoShape
  /** Kills by the kernel's out-of-memory killer per day. */
  readonly oomKillsPerDay?: number
  /** Share of CFS periods in which the CPU limit throttled the container. */
  readonly throttled?: number
  /** All replicas but the first were added this many days before the end of the history. */
  readonly grewDaysAgo?: number
}

interface DemoNode {
  readonly cluster: string
  readonly name: string
  /** '' if the cluster does not report it. */
  readonly type: string
  readonly cores: number
  readonly gib: number
}

interface DemoMachine {
  readonly vm: string
  readonly type: string
  readonly cores: number
  readonly gib: number
  /** The agent stopped this many days before the end of the history. */
  readonly silentDays?: number
  readonly processes: readonly DemoProcess[]
}

interface DemoVolume {
  readonly cluster: string
  /** '' if no claim has the volume any more. */
  readonly namespace: string
  /** Name of the claim, otherwise of the volume. */
  readonly name: string
  readonly storageClass: string
  readonly gib: number
  readonly usedGib: number
  /** A pod that uses it; '' for none. */
  readonly pod: string
}

interface DemoProcess {
  readonly process: string
  readonly group: 'kubernetes' | 'docker' | 'system' | 'user'
  readonly cgroup: string
  readonly cores: number
  readonly gib: number
  readonly shape: DemoShape
}

const nodes = (cluster: string, prefix: string, count: number, type: string, cores: number, gib: number) =>
  Array.from(
    { length: count },
    (_, i): DemoNode => ({
      cluster,
      name: `${prefix}-${i + 1}`,
      type,
      cores,
      gib,
    }),
  )

/** The nodes of two clusters. One node does not report its type, so its price is an estimate. */
export const demoNodes: readonly DemoNode[] = [
  ...nodes('production', 'general', 8, 'm5.2xlarge', 8, 32),
  ...nodes('production', 'memory', 2, 'r5.xlarge', 4, 32),
  ...nodes('staging', 'staging', 3, 'm5.xlarge', 4, 16),
  ...nodes('staging', 'spare', 1, '', 4, 16),
]

/** Cores or GiB: request, limit (0 for none) and mean usage. */
type Sizes = readonly [request: number, limit: number, use: number]

const workload = (
  [cluster, namespace]: readonly [string, string],
  owner: string,
  replicas: number,
  cores: Sizes,
  gib: Sizes,
  shape: DemoShape,
  more: Partial<DemoWorkload> = {},
): DemoWorkload => ({
  cluster,
  namespace,
  owner,
  container: owner.split('/')[1]!,
  replicas,
  requests: { cores: cores[0], gib: gib[0] },
  limits: { ...(cores[1] > 0 ? { cores: cores[1] } : {}), ...(gib[1] > 0 ? { gib: gib[1] } : {}) },
  use: { cores: cores[2], gib: gib[2] },
  shape,
  ...more,
})

const [shop, payments, search, analytics, identity, messaging, monitoring] = [
  'shop',
  'payments',
  'search',
  'analytics',
  'identity',
  'messaging',
  'monitoring',
].map((namespace) => ['production', namespace] as const) as [P, P, P, P, P, P, P]
const [shopStaging, paymentsStaging, ci, sandbox] = ['shop-staging', 'payments-staging', 'ci', 'sandbox'].map(
  (namespace) => ['staging', namespace] as const,
) as [P, P, P, P]
type P = readonly [cluster: string, namespace: string]

/** The team that owns each namespace, as its label says. */
export const demoTeams: readonly { cluster: string; namespace: string; team: string }[] = [
  ...[shop, search, shopStaging].map((place) => [place, 'storefront'] as const),
  ...[payments, identity, paymentsStaging].map((place) => [place, 'payments'] as const),
  ...[analytics, sandbox].map((place) => [place, 'data'] as const),
  ...[messaging, monitoring, ci].map((place) => [place, 'platform'] as const),
].map(([[cluster, namespace], team]) => ({ cluster, namespace, team }))

/** Typical workloads: mostly with generous requests, some with tight ones, one with a memory leak, and some unused. */
export const demoWorkloads: readonly DemoWorkload[] = [
  workload(shop, 'Deployment/web', 6, [1, 2, 0.22], [2, 3, 0.7], 'day'),
  workload(shop, 'Deployment/checkout', 3, [1, 2, 0.5], [1.5, 2, 0.9], 'day'),
  workload(shop, 'Deployment/cart', 3, [0.5, 1, 0.12], [1, 1, 0.4], 'day'),
  workload(payments, 'Deployment/api', 3, [1, 2, 0.3], [2, 2, 0.9], 'day'),
  workload(payments, 'StatefulSet/ledger', 2, [2, 0, 0.9], [8, 8, 6.2], 'day'),
  workload(payments, 'Deployment/fraud-scoring', 2, [2, 2, 1.5], [4, 4, 3], 'day', { throttled: 0.31 }),
  workload(search, 'StatefulSet/index', 3, [2, 0, 1.2], [12, 12, 9.8], 'flat'),
  workload(search, 'Deployment/query', 4, [1, 2, 0.4], [3, 3, 1.1], 'day'),
  workload(analytics, 'Deployment/spark-worker', 4, [3, 0, 1.1], [10, 10, 4.5], 'night', { grewDaysAgo: 12 }),
  workload(analytics, 'Deployment/notebook', 1, [2, 4, 0.0004], [8, 8, 0.9], 'idle'),
  workload(identity, 'Deployment/auth', 3, [0.5, 1, 0.15], [0.5, 0.5, 0.4], 'day', { oomKillsPerDay: 2 }),
  workload(identity, 'StatefulSet/sessions', 2, [0.5, 0, 0.05], [3, 3, 1.1], 'flat'),
  workload(messaging, 'StatefulSet/broker', 3, [1, 0, 0.6], [4, 4, 2.9], 'flat'),
  workload(messaging, 'Deployment/mailer', 2, [0.25, 0.5, 0.02], [0.5, 0.75, 0.3], 'leak'),
  workload(monitoring, 'StatefulSet/prometheus', 1, [1, 0, 0.7], [6, 8, 4.6], 'flat'),
  workload(monitoring, 'Deployment/grafana', 1, [0.25, 0.5, 0.01], [0.5, 0.5, 0.15], 'office'),
  workload(shopStaging, 'Deployment/web', 2, [1, 2, 0.03], [2, 3, 0.4], 'office'),
  workload(shopStaging, 'Deployment/checkout', 1, [1, 2, 0.04], [1.5, 2, 0.5], 'office'),
  workload(paymentsStaging, 'Deployment/api', 1, [1, 2, 0.03], [2, 2, 0.5], 'office'),
  workload(paymentsStaging, 'StatefulSet/ledger', 1, [1, 0, 0.05], [4, 4, 1.4], 'flat'),
  workload(ci, 'Deployment/runner', 3, [2, 4, 0.9], [4, 6, 2], 'office'),
  workload(sandbox, 'Deployment/old-prototype', 2, [0.5, 1, 0.0003], [1, 1, 0.2], 'idle'),
]

/** The claims that each replica of a StatefulSet has, a disk that is nearly empty, and two volumes that nobody uses. */
export const demoVolumes: readonly DemoVolume[] = [
  ...claims(payments, 'ledger', 2, 'gp2', 500, 310),
  ...claims(search, 'index', 3, 'gp3', 400, 290),
  ...claims(identity, 'sessions', 2, 'gp2', 50, 22),
  ...claims(messaging, 'broker', 3, 'gp2', 200, 120),
  ...claims(monitoring, 'prometheus', 1, 'gp3', 1000, 140),
  ...claims(paymentsStaging, 'ledger', 1, 'gp2', 100, 30),
  volume(sandbox, 'old-prototype-data', 'gp2', 200, 0),
  volume(['staging', ''], 'pvc-load-test', 'gp3', 500, 0),
]

function claims(
  [cluster, namespace]: P,
  owner: string,
  count: number,
  storageClass: string,
  gib: number,
  usedGib: number,
) {
  return Array.from({ length: count }, (_, i) =>
    volume([cluster, namespace], `data-${owner}-${i}`, storageClass, gib, usedGib, `${owner}-${i}`),
  )
}

function volume(
  [cluster, namespace]: P,
  name: string,
  storageClass: string,
  gib: number,
  usedGib: number,
  pod = '',
): DemoVolume {
  return { cluster, namespace, name, storageClass, gib, usedGib, pod }
}

const process = (
  name: string,
  group: DemoProcess['group'],
  cores: number,
  gib: number,
  shape: DemoShape = 'flat',
): DemoProcess => ({
  process: name,
  group,
  cgroup: group === 'docker' ? `/docker/${name}` : `/${group}.slice/${name}.service`,
  cores,
  gib,
  shape,
})

const machine = (
  vm: string,
  type: string,
  cores: number,
  gib: number,
  processes: readonly DemoProcess[],
): DemoMachine => ({ vm, type, cores, gib, processes })

/** Machines outside of clusters. One is idle, and the agent of another one has stopped. */
export const demoMachines: readonly DemoMachine[] = [
  machine('build-1', 'm5.2xlarge', 8, 32, [
    process('java', 'docker', 1.6, 9, 'office'),
    process('node', 'docker', 0.5, 2.2, 'office'),
    process('dockerd', 'system', 0.1, 0.5),
    process('systemd-journald', 'system', 0.02, 0.1),
  ]),
  machine('db-primary', 'r5.2xlarge', 8, 64, [
    process('postgres', 'system', 2.4, 41, 'day'),
    process('pgbouncer', 'system', 0.2, 0.2, 'day'),
    process('node_exporter', 'system', 0.02, 0.03),
  ]),
  machine('legacy-erp', 'm4.2xlarge', 8, 32, [
    process('java', 'user', 0.7, 6, 'office'),
    process('httpd', 'system', 0.1, 0.6, 'office'),
    process('cron', 'system', 0.01, 0.02),
  ]),
  machine('report-server', 'm5.xlarge', 4, 16, [
    process('crond', 'system', 0.002, 0.03),
    process('sshd', 'system', 0.001, 0.02),
  ]),
  machine('bastion', 't3.medium', 2, 4, [
    process('sshd', 'system', 0.06, 0.2, 'office'),
    process('auditd', 'system', 0.05, 0.1),
  ]),
  {
    ...machine('edge-cache', 'c5.xlarge', 4, 8, [
      process('varnishd', 'system', 1.1, 3.4, 'day'),
      process('nginx', 'system', 0.4, 0.3, 'day'),
    ]),
    silentDays: 2,
  },
]

export interface DemoPod {
  readonly workload: DemoWorkload
  readonly pod: string
  readonly node: string
  /** Undefined if the pod existed during the whole history. */
  readonly bornDaysAgo: number | undefined
}

/** Places every pod on the node of its cluster that has the most CPU left, as a scheduler would. */
export function placePods(): DemoPod[] {
  const left = new Map(demoNodes.map(({ cluster, name, cores }) => [`${cluster}/${name}`, cores]))
  return demoWorkloads.flatMap((workload) =>
    Array.from({ length: workload.replicas }, (_, index) => {
      const [kind, name] = workload.owner.split('/') as [string, string]
      const among = demoNodes.filter(({ cluster }) => cluster === workload.cluster)
      const leftOn = (node: string) => left.get(`${workload.cluster}/${node}`)!
      const { name: node } = among.reduce((best, each) =>
        leftOn(each.name) > leftOn(best.name) ? each : best,
      )
      left.set(`${workload.cluster}/${node}`, leftOn(node) - workload.requests.cores)
      return {
        workload,
        pod:
          kind === 'StatefulSet' ? `${name}-${index}` : `${name}-6d4f9-${suffixes[index % suffixes.length]}`,
        node,
        bornDaysAgo: index === 0 ? undefined : workload.grewDaysAgo,
      }
    }),
  )
}

const suffixes = ['x7kqp', 'b2mzt', 'h9rwd', 'c4lfn', 'v8sjg', 'n5ytk']
