import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { parseUsageType } from '../../../domain/names.ts'
import type { HostFacts } from '../../../providers/metadata/metadata-service.ts'
import { type Call, type CommandOption, textOption, UsageError } from '../../command.ts'

const yes = (about: string): CommandOption => ({ type: 'boolean', text: about })

export const agentFlags: Readonly<Record<string, CommandOption>> = {
  to: textOption('URL', 'Address of the service, such as https://cheapside.example.com'),
  'key-file': textOption(
    'FILE',
    'File with an API key that has the scope usage:write; read again for each request',
  ),
  once: yes('Measure this host once, without a server, and print a table of processes, cost and waste'),
  seconds: textOption('N', 'With --once: how long CPU usage is measured (default 5)'),
  all: yes('With --once: show every process'),
  vm: textOption('NAME', 'Name of the machine (default: the host name)'),
  every: textOption('N', 'Seconds between two measurements, 5 to 300 (default 15)'),
  spool: textOption(
    'DIRECTORY',
    'Directory for measurements while the service is unreachable (default: see docs/agent.md)',
  ),
  'spool-mib': textOption('N', 'Maximum size of the spool (default 256; 0: no spool)'),
  provider: textOption(
    'NAME',
    'Cloud provider of the machine; this and the next four override the metadata service',
  ),
  region: textOption('NAME', 'Region of the machine'),
  zone: textOption('NAME', 'Availability zone of the machine'),
  'instance-type': textOption('NAME', 'Instance type of the machine'),
  'usage-type': textOption('NAME', 'Usage type of the machine: ondemand, reserved, spot'),
  'metadata-url': textOption('URL', "Address of the metadata service, instead of the clouds' own addresses"),
  'without-metadata': yes('Do not query a metadata service'),
  proc: textOption('DIRECTORY', 'Where the proc file system is mounted (default /proc)'),
  cgroups: textOption('DIRECTORY', "Where the machine's cgroups are mounted (default /sys/fs/cgroup)"),
}

export function hostOptions(call: Call, defaults: { proc: string; cgroupRoot: string }) {
  return {
    vm: call.text('vm') || hostname(),
    proc: call.text('proc') ?? defaults.proc,
    cgroupRoot: call.text('cgroups') ?? defaults.cgroupRoot,
    facts: {
      given: givenFacts(call),
      endpoint: call.text('metadata-url'),
      offline: call.flag('without-metadata'),
    },
  }
}

function givenFacts(call: Call): HostFacts {
  const named = call.text('usage-type')
  const usageType = named === undefined ? undefined : parseUsageType(named)
  if (named !== undefined && usageType === undefined)
    throw new UsageError(`--usage-type must be ondemand, reserved or spot, not ${JSON.stringify(named)}`)
  const given = {
    provider: call.text('provider'),
    region: call.text('region'),
    zone: call.text('zone'),
    instanceType: call.text('instance-type'),
    usageType,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''))
}

export function optionBetween(
  call: Call,
  option: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const value = call.number(option) ?? fallback
  if (value < least || value > most)
    throw new UsageError(`--${option} must be from ${least} to ${most}, not ${value}`)
  return value
}

/** Adds the path of remote write to the address of the service, unless the address has a path. */
export function serviceUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('--to must be the address of the service, such as https://cheapside.example.com')
  if (url.pathname === '/') url.pathname = '/api/v1/write'
  return url
}

export function defaultSpool(): string {
  return process.getuid?.() === 0
    ? '/var/lib/cheapside-agent'
    : join(homedir(), '.local/state/cheapside-agent')
}
