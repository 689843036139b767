import type { ArchitectureRule, FillRules } from '../machine.ts'
import { awsProvider } from './provider.ts'

export const awsArchitectureRules: readonly ArchitectureRule[] = [
  {
    name: 'siblings of the family',
    architectureOf(instanceType, known) {
      const family = awsProvider.familyOf(instanceType)
      if (family === '') return ''
      const seen = new Set<'' | 'x86_64' | 'arm64' | 'i386'>()
      for (const [type, machine] of known)
        if (type.startsWith(`${family}.`) && machine.architecture !== '') seen.add(machine.architecture)
      return seen.size === 1 ? [...seen][0]! : ''
    },
  },
  {
    // https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html; true of all 817 types known
    name: 'processor letter in the name: g Graviton, a AMD, i Intel',
    architectureOf(instanceType) {
      const letters = /^[a-z]+?\d+([a-z]*)[.-]/.exec(instanceType)?.[1] ?? ''
      if (letters.includes('g')) return 'arm64'
      return /[ai]/.test(letters) ? 'x86_64' : ''
    },
  },
]

export const isAwsAccelerated = (instanceType: string): boolean =>
  /^(p|g|trn|inf|dl|vt|f|cg)\d/.test(instanceType)

/**
 * The old small types are listed as i386 although each runs x86_64 as well:
 * https://docs.aws.amazon.com/ec2/latest/instancetypes/gp.html (t2), pg.html (t1, m1, c1, c3)
 */
export const awsFill: FillRules = {
  architectures: awsArchitectureRules,
  isAccelerated: isAwsAccelerated,
  runsAs: { i386: 'x86_64' },
}
