import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { anyPod } from '../domain/node-placement.ts'
import type { WrittenPool } from '../domain/provider.ts'
import { eksNodes } from './aws/kubernetes.ts'
import { aksNodes } from './azure/kubernetes.ts'
import { gkeNodes } from './gcp/kubernetes.ts'

const pool = (over: Partial<WrittenPool> & Pick<WrittenPool, 'name' | 'instanceType'>): WrittenPool => ({
  number: 1,
  region: 'here',
  count: 4,
  fewest: 4,
  zone: undefined,
  placement: anyPod,
  isSpot: false,
  isWindows: false,
  architecture: 'x86_64',
  cores: 4,
  gib: 16,
  gpus: 0,
  ...over,
})

const gpuTaint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }
const batch = { key: 'batch', value: '', effect: 'NoSchedule' }

test.each<[Partial<WrittenPool>, RegExp]>([
  [{}, /--num-nodes 2 --enable-autoscaling --total-min-nodes 4 --total-max-nodes 4\n$/],
  [{ zone: 'here-a' }, /create n2d-standard-4-1 .*--num-nodes 4 --node-locations here-a\n$/],
  [{ isSpot: true, zone: 'here-a' }, / --spot\n$/],
  [{ isWindows: true }, / --image-type WINDOWS_LTSC_CONTAINERD\n$/],
  [
    { instanceType: 'g2-standard-4', gpus: 1, placement: { taints: [gpuTaint], labels: {} } },
    / --accelerator type=nvidia-l4,count=1\n$/,
  ],
  [
    { placement: { taints: [batch], labels: { disk: 'fast', team: 'a' } } },
    / --node-labels 'disk=fast,team=a' --node-taints 'batch=:NoSchedule'\n$/,
  ],
])('gcloud: %o', (over, expected) => {
  const written = pool({ name: 'n2d-standard-4-1', instanceType: 'n2d-standard-4', ...over })
  expect(gkeNodes.poolWriters!.gcloud!('c', [written])).toMatch(expected)
})

test.each<[Partial<WrittenPool>, RegExp]>([
  [{}, /--name d4asv51 --node-vm-size Standard_D4as_v5 --node-count 4\n$/],
  [{ name: 'e96ias-v4-spot-12', number: 12 }, /--name e96iasv4sp12 /],
  [{ isWindows: true }, /--name d4asv1 .*--os-type Windows\n$/],
  [{ zone: 'here-2', fewest: 2 }, / --zones 2 --enable-cluster-autoscaler --min-count 2 --max-count 4\n$/],
  [{ zone: '0' }, /--node-count 4\n$/],
  [
    { isSpot: true, placement: { taints: [aksNodes.spotTaint!], labels: {} } },
    /^# AKS taints .*\n.* --spot-max-price -1\n$/,
  ],
  [
    { placement: { taints: [batch], labels: { disk: 'fast', team: 'a' } } },
    /^# az takes no taint .*\n.* --labels 'disk=fast' 'team=a' --node-taints 'batch=true:NoSchedule'\n$/,
  ],
])('az: %o', (over, expected) => {
  const written = pool({ name: 'd4as-v5-1', instanceType: 'Standard_D4as_v5', ...over })
  expect(aksNodes.poolWriters!.az!('c', [written])).toMatch(expected)
})

test('nodes of Windows for Karpenter and eksctl', () => {
  const written = [pool({ name: 'm5-xlarge-1', instanceType: 'm5.xlarge', isWindows: true })]
  const read = (format: string) =>
    parseAllDocuments(eksNodes.poolWriters![format]!('c', written)).map((document) => document.toJS())[0]
  expect(read('karpenter').spec.template.spec.requirements).toContainEqual({
    key: 'kubernetes.io/os',
    operator: 'In',
    values: ['windows'],
  })
  expect(read('eksctl').managedNodeGroups[0].amiFamily).toMatch(/^Windows/)
})
