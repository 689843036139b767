import { accessSync, constants } from 'node:fs'
import type { UnitPrice } from '../../../agent/host-costs.ts'
import type { AgentOptions } from '../../../agent/run.ts'
import type { HostScan } from '../../../agent/scan-once.ts'
import { defaultOrganisation } from '../../../domain/key.ts'
import { type Call, type Command, CommandFailure, type ExitCode, exitCode } from '../../command.ts'
import { agentFlags, defaultSpool, hostOptions, optionBetween, serviceUrl } from './agent-flags.ts'

/** The prices of a core and a GiB of this machine; undefined if the catalogue does not have the machine. */
type PriceMachine = (scan: HostScan) => Promise<UnitPrice | undefined>

export function agentCommand(version: string, priceMachine: PriceMachine = priceFromCatalogue): Command {
  return {
    name: 'agent',
    summary: 'Measure the processes of this Linux host and send their usage; --once prints it instead',
    options: agentFlags,
    notes: [
      'Runs as any user, measures what that user may read, and reports what it could not read.',
      'Logs to standard error; SIGTERM and SIGINT stop it. Measurements that are not sent yet stay in the spool.',
    ].join('\n'),
    run: async (call) => {
      if (process.platform !== 'linux')
        throw new CommandFailure('the agent runs only on Linux, because it reads /proc')
      return call.flag('once') ? showOnce(call, priceMachine) : watch(call, version)
    },
  }
}

async function priceFromCatalogue({ facts }: HostScan): Promise<UnitPrice | undefined> {
  const { provider, region, zone = '', instanceType, usageType = 'ONDEMAND' } = facts
  if (provider === undefined || region === undefined || instanceType === undefined) return undefined
  const { offlinePricing } = await import('../pricing/offline-pricing.ts')
  const { priceInstance } = await import('../../../pricing/price-instance.ts')
  const { NotFound } = await import('../../../domain/not-found.ts')
  const described = {
    provider,
    region,
    instance_type: instanceType,
    availability_zone: zone,
    usage_type: usageType,
    operating_system: 'Linux',
  }
  const pricing = await priceInstance(
    await offlinePricing({ catalogue: '', providers: [] }),
    defaultOrganisation,
    described,
  )
  if (pricing instanceof NotFound) return undefined
  return {
    corePerHourUsd: pricing.cpu_cores_cost_per_hour,
    gibPerHourUsd: pricing.ram_gb_cost_per_hour,
    source: `${instanceType} at ${pricing.provider} ${region}, $${pricing.cost_per_hour} per hour`,
  }
}

async function watch(call: Call, version: string): Promise<ExitCode> {
  const url = serviceUrl(call.requiredText('to'))
  const keyFile = call.requiredText('key-file')
  const { agentDefaults, runAgent } = await import('../../../agent/run.ts')
  const { remoteWrite } = await import('../../../agent/send/remote-write.ts')
  const { replicaName } = await import('../../../agent/send/spool-lock.ts')
  const spoolMib = optionBetween(call, 'spool-mib', agentDefaults.spoolBytes >> 20, 0, 1 << 20)
  const spoolDirectory = call.text('spool') ?? defaultSpool()
  const agentOptions: AgentOptions = {
    ...hostOptions(call, agentDefaults),
    job: agentDefaults.job,
    replica: replicaName(spoolDirectory),
    intervalSeconds: optionBetween(call, 'every', agentDefaults.intervalSeconds, 5, 300),
    pssSeconds: agentDefaults.pssSeconds,
    spool:
      spoolMib === 0 ? undefined : { directory: spoolDirectory, maxBytes: Math.max(1, spoolMib) * 2 ** 20 },
  }
  const say = (level: string, message: string) =>
    call.err(call.json ? JSON.stringify({ level, message }) : `cheapside agent: ${message}`)
  accessSync(keyFile, constants.R_OK)
  say('info', `measuring ${agentOptions.vm} for ${url.host} every ${agentOptions.intervalSeconds} s`)
  if (url.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(url.host))
    say('warn', 'the API key is sent unencrypted: use https on untrusted networks')
  await runAgent(agentOptions, stopSignal(), {
    log: say,
    deliver: remoteWrite({ url, keyFile, userAgent: `cheapside-agent/${version}` }),
  })
  return exitCode.done
}

async function showOnce(call: Call, priceMachine: PriceMachine): Promise<ExitCode> {
  const { agentDefaults } = await import('../../../agent/run.ts')
  const { scanOnce } = await import('../../../agent/scan-once.ts')
  const { basePrice, hostCosts } = await import('../../../agent/host-costs.ts')
  const seconds = optionBetween(call, 'seconds', 5, 1, 3600)
  const scan = await scanOnce({ ...hostOptions(call, agentDefaults), seconds })
  const price = (await priceMachine(scan)) ?? basePrice
  const costs = hostCosts(scan, price)
  if (call.json) call.out(JSON.stringify({ ...scan, ...costs, price }))
  else {
    const { renderHost } = await import('../../render/host.ts')
    call.out(renderHost(scan, costs, price, call.flag('all')))
  }
  return exitCode.done
}

/** If a launcher started this process, the end of the launcher counts as a signal too. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
  process.on('disconnect', () => stop.abort())
  process.channel?.unref()
  return stop.signal
}
