import { expect, test } from 'vitest'
import { evictionGib } from '../domain/node-reserve.ts'
import { eksNodes } from './aws/kubernetes.ts'
import { aksNodes } from './azure/kubernetes.ts'
import { gkeNodes } from './gcp/kubernetes.ts'

// cloud.google.com/kubernetes-engine/docs/concepts/cluster-architecture: what is left of n1-highcpu-2, 4 and 8
test.each([
  [2, 1.8, 1.93, 1.3],
  [4, 3.6, 3.92, 2.6],
  [8, 7.2, 7.91, 5.5],
])('GKE leaves of %f cores and %f GiB what it publishes', (cores, gib, leftCores, leftGib) => {
  const reserve = gkeNodes.reserve({ cores, gib, pods: 110 })
  expect(cores - reserve.cores).toBeCloseTo(leftCores, 2)
  expect(Math.abs(gib - reserve.gib - leftGib)).toBeLessThan(0.051)
})

// github.com/awslabs/amazon-eks-ami: 11 MiB for each pod and 255 MiB; the shares of GKE for cores
test.each([
  ['m5.large', 2, 29, 70, 574],
  ['m5.xlarge', 4, 58, 80, 893],
  ['t3.medium', 2, 17, 70, 442],
  ['m5.4xlarge', 16, 110, 110, 1465],
])('EKS keeps of %s what its image computes', (type, cores, pods, millicores, mebibytes) => {
  expect(eksNodes.podsOn!(type, cores)).toBe(pods)
  const reserve = eksNodes.reserve({ cores, gib: 8, pods })
  expect(1000 * reserve.cores).toBeCloseTo(millicores, 6)
  expect(1024 * (reserve.gib - evictionGib)).toBeCloseTo(mebibytes, 6)
})

// learn.microsoft.com/azure/aks/node-resource-reservations: 8 GB with 30 pods, and 4 GB with 70
test.each([
  [8, 30, 650],
  [4, 70, 1000],
])('AKS keeps of %f GB with %f pods what it publishes', (gigabytes, pods, megabytes) => {
  const gib = (1e9 * gigabytes) / 2 ** 30
  const reserve = aksNodes.reserve({ cores: 2, gib, pods })
  expect((reserve.gib - evictionGib) * (2 ** 30 / 1e6)).toBeCloseTo(megabytes, 6)
  expect(reserve.cores).toBe(0.1)
})
