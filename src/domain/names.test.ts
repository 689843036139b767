import { describe, expect, test } from 'vitest'
import { memoizeNames, parseOperatingSystem, parseUsageType } from './names.ts'
import { usageTypes } from './offer.ts'

const check = (name: string, expected: string | undefined) =>
  expect(parseUsageType(name), name).toBe(expected)

test('every canonical name is itself', () => {
  for (const usageType of usageTypes) check(usageType, usageType)
})

test('usual names, any case, any separator', () => {
  for (const name of ['ondemand', 'on-demand', 'On Demand', 'ON_DEMAND', ' OD ', 'pay-as-you-go'])
    check(name, 'ONDEMAND')
  for (const name of ['reserved', 'Reserved Instance', 'committed', 'CUD', 'savings-plan', 'committed_use'])
    check(name, 'RESERVED')
  for (const name of ['spot', 'PREEMPTIBLE', 'spot/preemptible', 'low-priority', 'Spot VM'])
    check(name, 'SPOT_PREEMPTIBLE')
})

test('anything else is no usage type', () => {
  for (const name of ['', ' ', 'dedicated', 'spo', 'toString', '__proto__', 'ondemandx'])
    check(name, undefined)
})

test('reads a spelling once, what means nothing each time', () => {
  const asked: string[] = []
  const read = memoizeNames((name) => {
    asked.push(name)
    return name === 'nothing' ? undefined : name.toUpperCase()
  })
  for (let times = 0; times < 2; times++) {
    expect(read('linux')).toBe('LINUX')
    expect(read('nothing')).toBeUndefined()
  }
  expect(asked).toEqual(['linux', 'nothing', 'nothing'])
})

test('caches a limited number of names and no long ones', () => {
  let reads = 0
  const read = memoizeNames((name) => {
    reads++
    return name
  })
  const long = 'x'.repeat(101)
  expect([read(long), read(long), reads]).toEqual([long, long, 2])
  for (let i = 0; i < 300; i++) read(`name ${i}`)
  reads = 0
  for (let i = 0; i < 300; i++) expect(read(`name ${i}`)).toBe(`name ${i}`)
  expect(reads).toBe(100)
})

describe('operating systems', () => {
  const check = (expected: string | undefined, names: string[]) => {
    for (const name of names) expect(parseOperatingSystem(name), name).toBe(expected)
  }

  test('Linux, its usual names, and blank', () =>
    check('Linux', [
      '',
      '  ',
      'linux',
      'LINUX',
      'Linux/UNIX',
      'ubuntu',
      'Ubuntu 22.04.4 LTS',
      'Debian GNU/Linux 12 (bookworm)',
      'debian-12',
      'Amazon Linux 2',
      'Amazon Linux 2023',
      'Rocky Linux 9.4',
      'CentOS 7',
      'Container-Optimized OS from Google',
      'Bottlerocket OS 1.20.0 (aws-k8s-1.29)',
      'Flatcar Container Linux',
    ]))

  test('Windows and its editions', () =>
    check('Windows', [
      'windows',
      'Windows Server',
      'Microsoft Windows',
      'Windows Server 2022',
      'Windows Server 2012 R2 Standard',
      'Windows Server 2022 Datacenter',
      'WIN2019',
    ]))

  test('what costs a licence of its own, or is unknown, is not guessed', () =>
    check(undefined, [
      'rhel',
      'Red Hat Enterprise Linux 9',
      'SLES 15',
      'SUSE Linux Enterprise',
      'Ubuntu Pro',
      'Windows with SQL Server Standard',
      'macOS',
      'FreeBSD',
      'windows 95 please',
      '__proto__',
      'constructor',
    ]))
})
