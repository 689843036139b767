import { setTimeout as sleep } from 'node:timers/promises'
import type { HostFacts } from '../providers/metadata/metadata-service.ts'
import { findHostFacts, type HostFactsOptions } from './metadata/host-facts.ts'
import { type HostReading, Sampler } from './sampler.ts'
import type { Deliver } from './send/remote-write.ts'
import { type AgentLog, Sender, type SenderOptions } from './send/sender.ts'
import { SeriesWriter } from './send/series-writer.ts'
import { Spool, type SpoolOptions } from './send/spool.ts'
import { lockSpool } from './send/spool-lock.ts'
import { measurementGaps, Timeline } from './timeline.ts'

export interface AgentOptions {
  /** Name of the machine. */
  readonly vm: string
  /** Name of the observer. Measurements of one machine by different observers count once. */
  readonly job: string
  /** Tells observers with the same job apart; '' if there is only one. */
  readonly replica?: string
  /** Time between two measurements. */
  readonly intervalSeconds: number
  /** How often the proportional memory of each process is read. */
  readonly pssSeconds: number
  readonly proc: string
  readonly cgroupRoot: string
  /** If undefined, requests that cannot be sent are kept only in memory, for some minutes. */
  readonly spool?: SpoolOptions | undefined
  readonly facts: HostFactsOptions
  /** Text that explains how the user can name the cloud; by default it names the flags of the agent. */
  readonly remedy?: string
  readonly pauses?: Pick<SenderOptions, 'firstPauseMs' | 'maxPauseMs' | 'operatorPauseMs'>
}

interface AgentHooks {
  readonly log: AgentLog
  /** Delivers over HTTP (remoteWrite), or directly to a service in the same process. */
  readonly deliver: Deliver
  onReading?(reading: HostReading): void
}

export const agentDefaults = {
  job: 'cheapside-agent',
  intervalSeconds: 15,
  pssSeconds: 60,
  proc: '/proc',
  cgroupRoot: '/sys/fs/cgroup',
  spoolBytes: 256 << 20,
} as const

/** Measures the machine and sends the samples until the signal. Throws only if it cannot start. */
export async function runAgent(options: AgentOptions, signal: AbortSignal, hooks: AgentHooks): Promise<void> {
  const owner = options.spool && lockSpool(options.spool.directory)
  const failed = new AbortController()
  const ended = AbortSignal.any([signal, failed.signal])
  try {
    const spool = options.spool && new Spool(options.spool)
    const sender = new Sender({ deliver: hooks.deliver, spool, log: hooks.log, ...options.pauses })
    const sending = sender.run(ended)
    await watch(options, ended, hooks, sender)
    await sending
  } finally {
    failed.abort()
    owner?.release()
  }
}

async function watch(options: AgentOptions, signal: AbortSignal, hooks: AgentHooks, sender: Sender) {
  const sampler = new Sampler(options)
  const timeline = new Timeline(Date.now, () => performance.now())
  const writer = new SeriesWriter(options.vm, options.job, options.replica)
  let facts = await findHostFacts(options.facts)
  sayFacts(facts, hooks.log, options.remedy ?? '--provider, --region and --instance-type are set')
  const startMs = performance.now()
  for (let measurement = 1; !signal.aborted; measurement++) {
    const moment = timeline.next()
    const reading = sampler.measure()
    if (moment.jumpMs !== 0) sayJump(moment.jumpMs, hooks.log)
    sender.offer(writer.write(reading, moment, facts))
    if (measurement === 1) for (const gap of measurementGaps(reading)) hooks.log('info', gap)
    hooks.onReading?.(reading)
    // A machine may be running before its metadata service is.
    if (facts.provider === undefined && retryFactsAtMeasurements.has(measurement))
      findHostFacts(options.facts).then((found) => {
        facts = found
      })
    await until(startMs + measurement * options.intervalSeconds * 1000, signal)
  }
}

const retryFactsAtMeasurements = new Set([4, 40])

/** A measurement that took longer than the interval is followed by the next one immediately. */
async function until(atMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, atMs - performance.now()), undefined, { signal }).catch(() => {})
}

function sayFacts(facts: HostFacts, log: AgentLog, remedy: string): void {
  const { provider, region, zone, instanceType, usageType } = facts
  if (provider === undefined) {
    log(
      'info',
      `the cloud provider of this machine is not known; it is priced at base rates unless ${remedy}`,
    )
    return
  }
  log(
    'info',
    ['this machine is', provider, instanceType, 'in', region, zone, usageType].filter(Boolean).join(' '),
  )
  const missing = [
    ...(region === undefined ? ['--region'] : []),
    ...(instanceType === undefined ? ['--instance-type'] : []),
  ]
  if (missing.length > 0)
    log(
      'info',
      `the metadata service does not report everything that determines the price: set ${missing.join(' and ')}`,
    )
}

function sayJump(jumpMs: number, log: AgentLog): void {
  const seconds = Math.round(Math.abs(jumpMs) / 1000)
  log(
    'warn',
    jumpMs > 0
      ? `the clock jumped ahead by ${seconds} s, or the machine was suspended`
      : `the clock was set back by ${seconds} s; the server ignores new samples until it has caught up`,
  )
}
