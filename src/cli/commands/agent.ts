import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import type { UnitPrice } from '../../agent/host-costs.ts'
import type { HostLook } from '../../agent/look-once.ts'
import type { MachineFacts } from '../../agent/metadata/facts.ts'
import type { AgentOptions } from '../../agent/run.ts'
import { parseUsageType } from '../../domain/usage-types.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCode,
  numberOf,
  type Option,
  requiredText,
  textOf,
  UsageError,
} from '../command.ts'

/** What a core and a GiB of this machine cost; undefined where the catalogue does not know it. */
export type PriceMachine = (look: HostLook) => Promise<UnitPrice | undefined>

export function agentCommand(version: string, priceMachine: PriceMachine = async () => undefined): Command {
  return {
    name: 'agent',
    summary: 'Watch this Linux host and send what its processes use; --once shows it here',
    options,
    notes: [
      'Runs as any user with what that user may see, and says what it could not see.',
      'Prints to standard error; SIGTERM and SIGINT end it. What could not be sent yet is kept in the spool.',
    ].join('\n'),
    run: async (call) => {
      if (process.platform !== 'linux')
        throw new CommandFailure('the agent reads /proc, which only Linux has')
      return call.values.once === true ? showOnce(call, priceMachine) : watch(call, version)
    },
  }
}

const text = (value: string, about: string): Option => ({ type: 'string', value, text: about })
const yes = (about: string): Option => ({ type: 'boolean', text: about })

const options: Readonly<Record<string, Option>> = {
  to: text('URL', 'The service, such as https://cheapside.example.com'),
  'key-file': text('FILE', 'Holds an API key with the scope usage:write; read again for each request'),
  once: yes('Look at this host once, without a server: a table of processes, cost and waste'),
  seconds: text('N', 'With --once: how long CPU use is measured (default 5)'),
  all: yes('With --once: show every process'),
  vm: text('NAME', "What the machine is called (default: the host's name)"),
  every: text('N', 'Seconds between two looks, 5 to 300 (default 15)'),
  spool: text('FOLDER', 'Where measurements wait while the service is away (default: see docs/agent.md)'),
  'spool-mib': text('N', 'The most that the spool may take (default 256; 0: no spool)'),
  provider: text(
    'NAME',
    'Who runs the machine; this and the next four replace what its metadata service says',
  ),
  region: text('NAME', 'Its region'),
  zone: text('NAME', 'Its zone'),
  'instance-type': text('NAME', 'Its type'),
  'usage-type': text('NAME', 'How it is bought: ondemand, reserved, spot'),
  'metadata-url': text('URL', "Where to ask what the machine is, instead of the clouds' own addresses"),
  'without-metadata': yes('Ask no metadata service'),
  proc: text('FOLDER', 'Where the proc file system is mounted (default /proc)'),
  cgroups: text('FOLDER', "Where the machine's cgroups are mounted (default /sys/fs/cgroup)"),
}

async function watch(call: Call, version: string): Promise<ExitCode> {
  const url = serviceUrl(requiredText(call, 'to'))
  const keyFile = requiredText(call, 'key-file')
  const { agentDefaults, runAgent } = await import('../../agent/run.ts')
  const { remoteWrite } = await import('../../agent/send/remote-write.ts')
  const { FolderInUse } = await import('../../agent/send/folder-owner.ts')
  const spoolMib = between(call, 'spool-mib', agentDefaults.spoolBytes >> 20, 0, 1 << 20)
  const agentOptions: AgentOptions = {
    ...hostOptions(call, agentDefaults),
    lookSeconds: between(call, 'every', agentDefaults.lookSeconds, 5, 300),
    pssSeconds: agentDefaults.pssSeconds,
    spool:
      spoolMib === 0
        ? undefined
        : { folder: textOf(call, 'spool') ?? defaultSpool(), maxBytes: Math.max(1, spoolMib) << 20 },
  }
  const say = (level: string, message: string) =>
    call.err(call.json ? JSON.stringify({ level, message }) : `cheapside agent: ${message}`)
  try {
    const { accessSync, constants } = await import('node:fs')
    accessSync(keyFile, constants.R_OK)
    say('info', `watches ${agentOptions.vm} for ${url.host}, a look every ${agentOptions.lookSeconds} s`)
    if (url.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(url.host))
      say('warn', 'the key travels unencrypted: use https where others can listen')
    await runAgent(agentOptions, stopSignal(), {
      log: say,
      deliver: remoteWrite({ url, keyFile, userAgent: `cheapside-agent/${version}` }),
    })
  } catch (error) {
    if (error instanceof FolderInUse) throw new CommandFailure(error.message)
    const { code, path, message } = error as NodeJS.ErrnoException
    if (code !== undefined && path !== undefined) throw new CommandFailure(message)
    throw error
  }
  return exitCode.done
}

async function showOnce(call: Call, priceMachine: PriceMachine): Promise<ExitCode> {
  const { agentDefaults } = await import('../../agent/run.ts')
  const { lookOnce } = await import('../../agent/look-once.ts')
  const { basePrice, hostCosts } = await import('../../agent/host-costs.ts')
  const seconds = between(call, 'seconds', 5, 1, 3600)
  const look = await lookOnce({ ...hostOptions(call, agentDefaults), seconds })
  const price = (await priceMachine(look)) ?? basePrice
  const costs = hostCosts(look, price)
  if (call.json) call.out(JSON.stringify({ ...look, ...costs, price }))
  else {
    const { renderHost } = await import('../render/host.ts')
    call.out(renderHost(look, costs, price, call.values.all === true))
  }
  return exitCode.done
}

function hostOptions(call: Call, defaults: { proc: string; cgroupRoot: string }) {
  return {
    vm: textOf(call, 'vm') || hostname(),
    proc: textOf(call, 'proc') ?? defaults.proc,
    cgroupRoot: textOf(call, 'cgroups') ?? defaults.cgroupRoot,
    facts: {
      given: givenFacts(call),
      endpoint: textOf(call, 'metadata-url'),
      offline: call.values['without-metadata'] === true,
    },
  }
}

function givenFacts(call: Call): MachineFacts {
  const named = textOf(call, 'usage-type')
  const usageType = named === undefined ? undefined : parseUsageType(named)
  if (named !== undefined && usageType === undefined)
    throw new UsageError(`--usage-type must be ondemand, reserved or spot, not ${JSON.stringify(named)}`)
  const given = {
    provider: textOf(call, 'provider'),
    region: textOf(call, 'region'),
    zone: textOf(call, 'zone'),
    instanceType: textOf(call, 'instance-type'),
    usageType,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''))
}

function between(call: Call, option: string, fallback: number, least: number, most: number): number {
  const value = numberOf(call, option) ?? fallback
  if (value < least || value > most)
    throw new UsageError(`--${option} must be from ${least} to ${most}, not ${value}`)
  return value
}

/** The address of the service is enough; one with a path is taken as it is. */
function serviceUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('--to must be the address of the service, such as https://cheapside.example.com')
  if (url.pathname === '/') url.pathname = '/api/v1/write'
  return url
}

function defaultSpool(): string {
  return process.getuid?.() === 0
    ? '/var/lib/cheapside-agent'
    : join(homedir(), '.local/state/cheapside-agent')
}

/** The parent's end counts as a signal too where a launcher started us. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
  process.on('disconnect', () => stop.abort())
  process.channel?.unref()
  return stop.signal
}
