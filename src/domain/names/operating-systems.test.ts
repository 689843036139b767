import { expect, test } from 'vitest'
import { parseOperatingSystem } from './operating-systems.ts'

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
