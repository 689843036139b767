import { awsProvider } from './aws.ts'
import type { ArchitectureRule } from './machine.ts'

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

/** Whether the type belongs to a family of accelerated computing. */
export const isAwsAccelerated = (instanceType: string): boolean =>
  /^(p|g|trn|inf|dl|vt|f|cg)\d/.test(instanceType)
