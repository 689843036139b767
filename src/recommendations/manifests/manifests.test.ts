import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { noQuota } from '../../costs/allocation/totals.ts'
import { baseRates } from '../../domain/money.ts'
import { cpuQuantity, memoryQuantity } from '../../domain/quantity.ts'
import { Distribution } from '../../usage/distribution/distribution.ts'
import type { SizedNamespace } from '../containers/answer/view-namespace.case.ts'
import type { PricedContainer } from '../containers/namespace-draft.ts'
import { quantityPattern, schemas } from './kubernetes-schemas.case.ts'
import { type ManifestFormat, manifestFormats } from './manifest-answer.ts'
import { readDocuments, readYaml } from './read-yaml.case.ts'
import { writeManifest } from './write-manifest.case.ts'

const none = { cpuRequest: undefined, cpuLimit: undefined, memoryRequest: undefined, memoryLimit: undefined }

function container(workload: string, name: string, over: Partial<PricedContainer> = {}): PricedContainer {
  const requests = over.requests ?? { cpu: 0.243, memory: 0.5 }
  const current = over.current ?? { cpuRequest: 1, cpuLimit: 2, memoryRequest: 1, memoryLimit: 1 }
  return {
    key: `${workload}/${name}`,
    workload,
    name,
    init: false,
    isLongRunning: true,
    current,
    recommended: {
      cpuRequest: requests.cpu ?? current.cpuRequest,
      cpuLimit: current.cpuLimit && (requests.cpu ?? current.cpuRequest!) * 2,
      memoryRequest: requests.memory ?? current.memoryRequest,
      memoryLimit: current.memoryLimit && (requests.memory ?? current.memoryRequest),
    },
    lower: { ...none, cpuRequest: 0.1, memoryRequest: 0.3 },
    upper: { ...none, cpuRequest: 0.5, memoryRequest: 1 },
    requests,
    cpu: Distribution.of(100_000),
    memory: Distribution.of(2 ** 29),
    replicas: { atEnd: 1, highest: 1, most: undefined },
    oomKills: 0,
    restarts: 0,
    memoryFacts: {},
    rules: { constraints: {}, origins: [], matched: [] },
    throttledShare: 0,
    leaks: false,
    confidence: 0.9,
    reasons: ['Because, "so".'],
    codes: [],
    advised: {
      cpu: { target: 0.243, lower: 0.1, upper: 0.5 },
      memory: { target: 0.5, lower: 0.3, upper: 1 },
    },
    explanation: { cpu: null, memory: null },
    podHours: 24,
    hoursSinceFirst: 336,
    isGone: false,
    hasUnknownRequests: false,
    prices: baseRates,
    autoscaledBy: [],
    spendAtCurrentRequests: { cpuUsd: 1, memoryUsd: 0.5, gpuUsd: 0 },
    currentSpend: { cpuUsd: 1, memoryUsd: 0.5, gpuUsd: 0 },
    newSpend: { cpuUsd: 0.25, memoryUsd: 0.25, gpuUsd: 0 },
    ...over,
  }
}
const namespace = (...containers: PricedContainer[]): SizedNamespace => ({
  cluster: 'prod/eu – 1',
  namespace: 'shop',
  containers,
  nodes: new Set(),
  measuredHours: 336,
  newSpendIfAllChangeUsd: 1,
  prices: { sources: [], notes: [] },
  hardQuota: noQuota,
})
const sizes = (cpuRequest: number, cpuLimit: number, memoryRequest: number, memoryLimit: number) => ({
  cpuRequest,
  cpuLimit,
  memoryRequest,
  memoryLimit,
})
const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'CronJob', 'ReplicationController']

/** Checks that every object is valid in Kubernetes. */
function check(sized: SizedNamespace, format: ManifestFormat): Record<string, unknown>[] {
  const objects = readDocuments(writeManifest(sized, format)) as Record<string, unknown>[]
  for (const object of objects) {
    fits(object)
    const inside = (object.patches ?? []) as { readonly patch: string }[]
    for (const { patch } of inside)
      for (const one of readDocuments(`---\n${patch}`)) fits(one as typeof object)
  }
  return objects
}

function fits(object: Record<string, unknown>): void {
  const schema = schemas[object.kind as string]
  expect(schema, `${object.kind}`).toBeDefined()
  expect([...Compile(schema as never).Errors(object)], JSON.stringify(object)).toEqual([])
}

describe.each(manifestFormats.filter((format) => format !== 'csv'))('%s', (format) => {
  test.each(kinds)('of a %s', (kind) => {
    const objects = check(namespace(container(`${kind}/web`, 'app')), format)
    expect(objects).toHaveLength(1)
  })

  test('without data says that nothing is known', () => {
    const text = writeManifest(namespace(), format)
    expect(text.split('\n---')[0]!.trim()).toBe(
      '# No usage of namespace shop of cluster prod/eu – 1 in this period.',
    )
    const component = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', patches: [] }
    expect(readDocuments(text)).toEqual(format === 'kustomize' ? [component] : [])
  })
})

test.each(['patch', 'kustomize'] as const)('%s of an unchanged workload says so', (format) => {
  const stays = container('Deployment/web', 'app', { requests: { cpu: undefined, memory: undefined } })
  expect(writeManifest(namespace(stays), format)).toContain('# No change is recommended.')
})

describe('a patch', () => {
  test('contains only what changes', () => {
    const [object] = check(
      namespace(
        container('Deployment/web', 'app'),
        container('Deployment/web', 'stays', { requests: { cpu: undefined, memory: undefined } }),
        container('Deployment/web', 'proxy', { requests: { cpu: 0.05, memory: undefined }, current: none }),
        container('Deployment/web', 'prepare', { init: true }),
      ),
      'patch',
    )
    expect(object).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        template: {
          spec: {
            initContainers: [
              {
                name: 'prepare',
                resources: {
                  requests: { cpu: '243m', memory: '512Mi' },
                  limits: { cpu: '486m', memory: '512Mi' },
                },
              },
            ],
            containers: [
              {
                name: 'app',
                resources: {
                  requests: { cpu: '243m', memory: '512Mi' },
                  limits: { cpu: '486m', memory: '512Mi' },
                },
              },
              { name: 'proxy', resources: { requests: { cpu: '50m' } } },
            ],
          },
        },
      },
    })
  })

  test.each(['Job/once', 'Pod/alone', 'Node/n1', 'Rollout/canary', 'FlinkDeployment/x', 'constructor/x'])(
    'leaves %s out and says why',
    (workload) => {
      const text = writeManifest(namespace(container(workload, 'app')), 'patch')
      expect(readDocuments(text)).toEqual([])
      expect(text).toContain(`# ${workload} is left out: `)
    },
  )
})

test('a CPU limit that should go is removed by a component, and by a command beside a patch', () => {
  const current = { cpuRequest: 1, cpuLimit: 2, memoryRequest: 1, memoryLimit: 1 }
  const bare = container("Deployment/it's", 'app', {
    current,
    requests: { cpu: undefined, memory: undefined },
    recommended: { ...current, cpuLimit: undefined },
  })
  expect(writeManifest(namespace(bare), 'kustomize')).toMatch(/limits:\n\s+cpu: null\n/)
  const patch = writeManifest(namespace(bare), 'patch')
  expect(readDocuments(patch)).toEqual([])
  expect(patch).toContain(
    `kubectl -n 'shop' patch 'Deployment/it'\\''s' --patch '{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"limits":{"cpu":null}}}]}}}}'`,
  )
})

test('an autoscaler stays within its bounds, and containers without a recommendation are not changed', () => {
  const [object] = check(
    namespace(
      container('Deployment/web', 'app'),
      container('Deployment/web', 'young', { advised: { cpu: null, memory: null } }),
    ),
    'vpa',
  )
  expect(object).toMatchObject({
    spec: {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      resourcePolicy: {
        containerPolicies: [
          {
            containerName: 'app',
            minAllowed: { cpu: '100m', memory: '308Mi' },
            maxAllowed: { cpu: '500m', memory: '1Gi' },
          },
          { containerName: 'young', mode: 'Off' },
        ],
      },
    },
  })
})

test.each<[string, Partial<PricedContainer>, string]>([
  ['keeps the proportion of limits', {}, 'RequestsAndLimits'],
  ['sets requests only if there are no limits', { current: none }, 'RequestsOnly'],
  [
    'leaves limits alone if a CPU limit in proportion would be too low to start with',
    { requests: { cpu: 0.01, memory: 0.5 }, recommended: sizes(0.01, 0.1, 0.5, 0.5) },
    'RequestsOnly',
  ],
  [
    'leaves limits alone if the lower bound of a CPU limit in proportion would be too low',
    { recommended: sizes(0.06, 0.12, 0.5, 0.5), lower: sizes(0.03, 0.1, 0.3, 0.3) },
    'RequestsOnly',
  ],
  [
    'leaves limits alone if a memory limit in proportion would be below the highest usage',
    { current: sizes(1, 2, 1, 1.2), recommended: sizes(0.5, 1, 0.5, 1.1) },
    'RequestsOnly',
  ],
  [
    'raises limits although one in proportion would be too low',
    { recommended: sizes(0.01, 0.1, 1.5, 1.5) },
    'RequestsAndLimits',
  ],
])('an autoscaler %s', (_, over, controlledValues) => {
  const [object] = check(namespace(container('Deployment/web', 'app', over)), 'vpa')
  const policies = [{ containerName: 'app', controlledValues }]
  expect(object).toMatchObject({ spec: { resourcePolicy: { containerPolicies: policies } } })
})

test('an autoscaler leaves a resource alone by which the number of replicas is set', () => {
  const [object] = check(
    namespace(
      container('Deployment/web', 'app', { autoscaledBy: ['cpu'] }),
      container('Deployment/web', 'both', { autoscaledBy: ['cpu', 'memory'] }),
    ),
    'vpa',
  )
  const policies = [{ controlledResources: ['memory'] }, { containerName: 'both', mode: 'Off' }]
  expect(object).toMatchObject({ spec: { resourcePolicy: { containerPolicies: policies } } })
})

test('a workload that has not run for a day is left out with a remark', () => {
  const gone = container('Deployment/old', 'app', { isGone: true })
  for (const format of ['patch', 'kustomize', 'vpa'] as const) {
    const text = writeManifest(namespace(container('Deployment/web', 'app'), gone), format)
    expect(text).toContain('Deployment/old is left out: it did not run for a day.')
    expect(text).not.toContain('name: old')
  }
})

test('a container that its workload no longer has is left out with a remark', () => {
  const sized = namespace(
    container('Deployment/web', 'app'),
    container('Deployment/web', 'prepare', { init: true, isGone: true }),
    container('Deployment/web', 'removed', { isGone: true }),
  )
  for (const format of ['patch', 'kustomize', 'vpa'] as const) {
    const text = writeManifest(sized, format)
    expect(text).toContain('# Container removed of Deployment/web is left out: it did not run for a day.')
    expect(text).not.toMatch(/[Nn]ame: removed/)
    expect(text).toMatch(/[Nn]ame: app/)
    // Init containers run only when a pod starts.
    expect(text.includes('name: prepare')).toBe(format !== 'vpa')
  }
  const [quota] = check(sized, 'quota')
  expect(quota).toMatchObject({ spec: { hard: { 'limits.memory': '2Gi' } } })
})

test.each<[string[], string[]]>([
  [
    ['Deployment/web', 'StatefulSet/db'],
    ['web', 'db'],
  ],
  [
    ['Deployment/web', 'StatefulSet/web', 'StatefulSet/db'],
    ['web-deployment', 'web-statefulset', 'db'],
  ],
  [
    ['Deployment/a', 'CronJob/a', 'Deployment/a-cronjob'],
    ['a-deployment', 'a-cronjob-vpa', 'a-cronjob'],
  ],
])('autoscalers of %j are named %j', (workloads, names) => {
  const objects = check(namespace(...workloads.map((workload) => container(workload, 'app'))), 'vpa')
  expect(objects.map(({ metadata }) => (metadata as { name: string }).name)).toEqual(names)
  const targets = objects.map(({ spec }) => (spec as { targetRef: Record<string, string> }).targetRef)
  expect(targets.map(({ kind, name }) => `${kind}/${name}`)).toEqual(workloads)
})

describe('a quota', () => {
  test.each<[string, PricedContainer[], object | undefined]>([
    [
      'on limits where all have them',
      [container('Deployment/web', 'app')],
      { 'limits.cpu': '972m', 'limits.memory': '1Gi' },
    ],
    [
      'that lets every workload start a quarter more pods, rounded up, each as large as the patch makes it',
      [
        container('Deployment/api', 'app', { replicas: { atEnd: 5, highest: 5, most: undefined } }),
        container('Deployment/web', 'app', { replicas: { atEnd: 3, highest: 4, most: 8 } }),
      ],
      // 7 and 10 pods of 486m and 512Mi.
      { 'limits.cpu': '8262m', 'limits.memory': '8704Mi' },
    ],
    [
      'on requests where one has no limit',
      [container('Deployment/web', 'app', { current: { ...none, cpuRequest: 1, memoryRequest: 1 } })],
      { 'requests.cpu': '486m', 'requests.memory': '1Gi' },
    ],
    [
      'on requests alone, although another container has limits',
      [
        container('Deployment/api', 'app'),
        container('Deployment/web', 'app', { current: { ...none, cpuRequest: 1, memoryRequest: 1 } }),
      ],
      { 'requests.cpu': '972m', 'requests.memory': '2Gi' },
    ],
    [
      'not at all where one has no request',
      [
        container('Deployment/web', 'app', {
          current: none,
          requests: { cpu: undefined, memory: undefined },
        }),
      ],
      undefined,
    ],
    ...['Pod/bare', 'Job/once', 'Node/n1', 'Rollout/canary'].map(
      (workload): [string, PricedContainer[], object] => [
        `with the current sizes of ${workload}, which no patch changes`,
        [container('Deployment/web', 'app'), container(workload, 'app')],
        // 2 pods of 486m and 512Mi, and 2 of 2 cores and 1Gi.
        { 'limits.cpu': '4972m', 'limits.memory': '3Gi' },
      ],
    ),
    [
      'with the current sizes of a workload that is gone and may return',
      [container('Deployment/old', 'app', { isGone: true }), container('Deployment/web', 'app')],
      { 'limits.cpu': '4972m', 'limits.memory': '3Gi' },
    ],
    [
      'with the recommended sizes of a pod that no patch changes where these are larger',
      [container('Pod/bare', 'app', { requests: { cpu: 3, memory: 2 } })],
      { 'limits.cpu': '12', 'limits.memory': '4Gi' },
    ],
    [
      'not at all where no patch gives a request to a pod without one',
      [container('Deployment/web', 'app'), container('Pod/bare', 'app', { current: none })],
      undefined,
    ],
  ])('%s', (_, containers, hard) => {
    const objects = check(namespace(...containers), 'quota')
    const remark = '# The quota is for the recommended sizes of all replicas and a quarter more'
    expect(writeManifest(namespace(...containers), 'quota').includes(remark)).toBe(hard !== undefined)
    expect((objects[0]?.spec as { hard: object } | undefined)?.hard).toEqual(hard)
  })
})

test('a component holds each patch with its target', () => {
  const [component] = check(namespace(container('StatefulSet/db.main', 'app')), 'kustomize')
  const [{ target, patch }] = component!.patches as [{ target: unknown; patch: string }]
  expect(target).toEqual({ group: 'apps', version: 'v1', kind: 'StatefulSet', name: '^db\\.main$' })
  expect([...Compile(schemas.StatefulSet as never).Errors(readYaml(patch))]).toEqual([])
})

test('a table', () => {
  const sized = namespace(
    container('Deployment/web', 'app'),
    container('CronJob/=cmd()', 'x', { current: none }),
  )
  const [head, first, second] = writeManifest(sized, 'csv').split('\r\n')
  expect(head).toContain('cluster,namespace,kind,workload,container,replicas,cpu_request_cores')
  expect(head).toMatch(/,measured_hours,current_spend_per_month_usd,new_spend_per_month_usd$/)
  expect(first).toBe(
    'prod/eu – 1,shop,Deployment,web,app,1,1,0.243,2,0.486,1,0.5,1,0.5,1.5,0.5,0.9,"Because, ""so"".",336,3.258929,1.08631',
  )
  expect(second).toContain("CronJob,'=cmd(),x,1,,0.243,,,")
})

describe('quantities', () => {
  test.each([
    [0.0001, 'cores', '1m'],
    [0.0191, 'cores', '20m'],
    [0.243, 'cores', '243m'],
    [0.25, 'cores', '250m'],
    [0.2500000000001, 'cores', '250m'],
    [1, 'cores', '1'],
    [1.51, 'cores', '1510m'],
    [12.2, 'cores', '12200m'],
    [0.00001, 'GiB', '1Mi'],
    [0.5, 'GiB', '512Mi'],
    [0.48, 'GiB', '492Mi'],
    [0.581055, 'GiB', '595Mi'],
    [1, 'GiB', '1Gi'],
    [1.9, 'GiB', '1946Mi'],
    [40, 'GiB', '40Gi'],
  ])('%d %s: %s', (value, unit, quantity) => {
    expect((unit === 'cores' ? cpuQuantity : memoryQuantity)(value)).toBe(quantity)
  })

  test('are never smaller, hardly larger, and monotone', () => {
    const value = (quantity: string): number => {
      expect(quantity).toMatch(quantityPattern)
      const amount = Number.parseFloat(quantity)
      return quantity.endsWith('m') ? amount / 1000 : quantity.endsWith('Mi') ? amount / 1024 : amount
    }
    const size = fc.double({ min: 0.02, max: 500, noNaN: true })
    fc.assert(
      fc.property(size, size, (a, b) => {
        for (const write of [cpuQuantity, memoryQuantity]) {
          expect(value(write(a))).toBeGreaterThanOrEqual(a - 1.1e-6)
          expect(value(write(a))).toBeLessThanOrEqual(a + 0.001)
          if (a <= b) expect(value(write(a))).toBeLessThanOrEqual(value(write(b)))
        }
      }),
    )
  })
})
