import { describe, expect, test } from 'vitest'
import { containerOwner, ownerReason } from './container-owner.ts'
import { manifestWorkload, type PatchedContainer, workloadPatch } from './patches.ts'

describe('the owner of a container', () => {
  test.each([
    ['shop', 'Deployment/web', 'istio-proxy', 'Istio'],
    ['shop', 'Deployment/web', 'linkerd-proxy', 'Linkerd'],
    ['shop', 'Deployment/web', 'daprd', 'Dapr'],
    ['shop', 'Deployment/web', 'vault-agent', 'Vault'],
    ['shop', 'Deployment/web', 'csql-shop-db', 'the Cloud SQL proxy operator'],
    ['kube-system', 'DaemonSet/aws-node', 'aws-node', 'the provider of the cluster'],
    ['kube-system', 'Deployment/metrics-server-v1.33', 'metrics-server', 'the provider of the cluster'],
    ['gke-managed-cim', 'StatefulSet/kube-state-metrics', 'ksm-metrics', 'the provider of the cluster'],
    ['kube-system', 'DaemonSet/azure-cns', 'cns-container', 'the provider of the cluster'],
    ['shop', 'Deployment/web', 'app', undefined],
    ['logs', 'DaemonSet/fluent-bit', 'fluent-bit', undefined],
    ['shop', 'Deployment/coredns', 'coredns', undefined],
    ['kube-system', 'Deployment/my-controller', 'manager', undefined],
  ])('%s %s %s: %s', (namespace, workload, name, owner) => {
    expect(containerOwner({ namespace, workload, name })?.owner).toBe(owner)
  })

  test.each([
    ['shop', 'Deployment/web', 'istio-proxy', ['Istio injects it, so patches set its annotations.']],
    ['shop', 'Deployment/web', 'promtail', ['A log agent injects it, so it is in no patch.']],
    [
      'kube-system',
      'DaemonSet/aws-node',
      'aws-node',
      ['The provider of the cluster manages it, so it is in no patch.'],
    ],
    ['shop', 'Deployment/web', 'app', []],
  ])('%s %s %s: %j', (namespace, workload, name, reasons) => {
    expect(ownerReason({ namespace, workload, name })).toEqual(reasons)
  })

  test('is the one that a sizing rule names', () => {
    const proxy = { namespace: 'shop', workload: 'Deployment/web', name: 'istio-proxy' }
    expect(containerOwner({ ...proxy, managedBy: 'the platform team' })?.owner).toBe('the platform team')
  })
})

const sized = (name: string, over: Partial<PatchedContainer> = {}): PatchedContainer => ({
  name,
  init: false,
  requests: { cpu: 0.1, memory: 0.25 },
  current: { cpuRequest: 0.5, cpuLimit: 2, memoryRequest: 1, memoryLimit: 1 },
  recommended: { cpuRequest: 0.1, cpuLimit: 0.4, memoryRequest: 0.25, memoryLimit: 0.25 },
  ...over,
})
const patch = (workload: string, names: readonly string[], namespace = 'shop') =>
  workloadPatch(
    manifestWorkload(
      workload,
      names.map((name) => sized(name)),
    ).workload!,
    namespace,
    'patch',
  )
const resources = { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '400m', memory: '256Mi' } }

test('an injected container is left out of a patch, and its annotations are set', () => {
  const { object, remark } = patch('Deployment/web', ['app', 'istio-proxy'])
  expect(object).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      template: {
        metadata: {
          annotations: {
            'sidecar.istio.io/proxyCPU': '100m',
            'sidecar.istio.io/proxyMemory': '256Mi',
            'sidecar.istio.io/proxyCPULimit': '400m',
            'sidecar.istio.io/proxyMemoryLimit': '256Mi',
          },
        },
        spec: { initContainers: undefined, containers: [{ name: 'app', resources }] },
      },
    },
  })
  expect(remark).toBe(
    'Container istio-proxy of Deployment/web is left out: Istio injects it; its annotations set its size.',
  )
})

test('a container that a sizing rule gives to others is left out, also if the workload is named like it', () => {
  const members = [sized('agent', { managedBy: 'the platform team' })]
  expect(workloadPatch(manifestWorkload('DaemonSet/agent', members).workload!, 'shop', 'patch')).toEqual({
    object: undefined,
    remark:
      'Container agent of DaemonSet/agent is left out: the platform team sets its size; change its size there.',
  })
})

test('an injected container without annotations leaves nothing to patch', () => {
  const { object, remark } = patch('Deployment/web', ['otc-container'])
  expect(object).toBeUndefined()
  expect(remark).toContain('the OpenTelemetry operator injects it; change its size there')
})

test('a workload that is such a container itself is patched', () => {
  for (const [workload, name] of [
    ['DaemonSet/fluent-bit', 'fluent-bit'],
    ['Deployment/istio-ingressgateway', 'istio-proxy'],
  ] as const)
    expect(patch(workload, [name])).toMatchObject({
      object: { spec: { template: { spec: { containers: [{ name }] } } } },
      remark: undefined,
    })
})

test('an add-on of the provider is not patched', () => {
  expect(patch('DaemonSet/aws-node', ['aws-node'], 'kube-system')).toEqual({
    remark: 'DaemonSet/aws-node is left out: the provider of the cluster manages it.',
  })
})
