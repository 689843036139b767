import { awsProvider } from '../../aws/provider.ts'

/**
 * Types that burst and whose provider does not publish what they sustain, by provider and pattern. Their benchmarks were
 * measured in a burst, so they have no speed, and they are undocumented (kind `custom`), so they are not offered.
 * t1.micro has the speed of a whole core for some seconds and is then throttled to a small part of it.
 * Source: EC2 user guide, "T1 Micro instances".
 */
export const unknownBaselines: readonly (readonly [provider: string, pattern: string])[] = [
  [awsProvider.key, '^t1\\.'],
]

export const hasUnknownBaseline = (provider: string, instanceType: string): boolean =>
  unknownBaselines.some(([key, pattern]) => key === provider && new RegExp(pattern).test(instanceType))
