import { expect, test } from 'vitest'
import { fillMachines } from '../machine.ts'
import { awsArchitectureRules, isAwsAccelerated } from './sizes.ts'

function check(type: string, expected: string, others: Record<string, 'x86_64' | 'arm64'> = {}): void {
  const blank = { vcpus: 2, ramGib: 4, gpuCount: 0, gpuName: '' }
  const rows = [
    { instanceType: type, ...blank, architecture: '' as const },
    ...Object.entries(others).map(([instanceType, architecture]) => ({
      instanceType,
      ...blank,
      architecture,
    })),
  ]
  expect(fillMachines(rows, { architectures: awsArchitectureRules }).get(type)?.architecture, type).toBe(
    expected,
  )
}

test('the processor letter follows the generation', () => {
  check('c9g.large', 'arm64')
  check('c8id.metal-48xl', 'x86_64')
  check('m8azn.large', 'x86_64')
  check('hpc8a.96xlarge', 'x86_64')
  check('g5g.xlarge', 'arm64')
  check('g7.2xlarge', '')
  check('i3p.16xlarge', '')
  check('cr1.8xlarge', '')
})

test('siblings that agree decide if the name does not', () => {
  check('m5.new', 'x86_64', { 'm5.large': 'x86_64', 'm5.xlarge': 'x86_64', 'm5g.large': 'arm64' })
  check('m5.new', '', { 'm5.large': 'x86_64', 'm5.xlarge': 'arm64' })
})

test('accelerated families', () => {
  for (const type of ['p5.48xlarge', 'g7.2xlarge', 'trn2.48xlarge', 'inf2.xlarge', 'vt1.3xlarge'])
    expect(isAwsAccelerated(type), type).toBe(true)
  for (const type of ['m5.large', 'i3.large', 't3.micro', 'r5.large'])
    expect(isAwsAccelerated(type), type).toBe(false)
})
