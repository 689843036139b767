import { expect, test } from 'vitest'
import { findProvider } from './providers.ts'

const nodesOf = (provider: string) => findProvider(provider)!.kubernetes!

test.each([
  // n1-standard, as cloud.google.com/kubernetes-engine/docs/concepts/cluster-architecture rounded it.
  ['gcp', 1, 3.75, 110, 0.94, 2.7],
  ['gcp', 2, 7.5, 110, 1.93, 5.7],
  ['gcp', 4, 15, 110, 3.92, 12.3],
  ['gcp', 16, 60, 110, 15.89, 54.7],
  // 255 MiB and 11 MiB for each of 29 pods are 574 MiB, and 100 MiB for eviction.
  ['aws', 2, 8, 29, 1.93, 7.34],
  // learn.microsoft.com/azure/aks/node-resource-reservations: 20 MB for each of 30 pods and 50 MB.
  ['azure', 4, 8, 30, 3.86, 7.3],
  ['azure', 1, 2, 110, 0.94, 1.4],
  ['azure', 48, 192, 30, 47.42, 191.3],
  ['azure', 96, 384, 30, 94.94, 383.3],
])(
  'of a node of %s with %f cores and %f GiB for %f pods, %f cores and %f GiB are left',
  (provider, cores, gib, pods, leftCores, leftGib) => {
    const reserve = nodesOf(provider).reserve({ cores, gib, pods })
    expect(cores - reserve.cores).toBeCloseTo(leftCores, 2)
    expect(Math.abs(gib - reserve.gib - leftGib)).toBeLessThan(0.11)
  },
)

test.each([
  ['m5.large', 2, 29],
  ['M5.XLARGE', 4, 58],
  ['m5.4xlarge', 16, 110],
  ['m5.8xlarge', 32, 234],
  ['m5.24xlarge', 96, 250],
  ['t3.medium', 2, 17],
  ['m7i.metal-24xl', 96, 250],
  ['g4dn.xlarge', 4, 29],
  ['c8i.2xlarge', 8, 110],
])('a node of the type %s with %i vCPUs has at most %i pods', (type, vcpus, pods) => {
  expect(nodesOf('aws').podsOn?.(type, vcpus)).toBe(pods)
})
