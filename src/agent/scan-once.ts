import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessGroup } from '../domain/process-group.ts'
import type { HostFacts } from '../providers/metadata/metadata-service.ts'
import { findHostFacts, type HostFactsOptions } from './metadata/host-facts.ts'
import { Sampler } from './sampler.ts'
import { measurementGaps } from './timeline.ts'

interface ScanOptions {
  readonly vm: string
  readonly seconds: number
  readonly proc: string
  readonly cgroupRoot: string
  readonly facts: HostFactsOptions
}

export interface HostScan {
  readonly vm: string
  readonly seconds: number
  readonly facts: HostFacts
  readonly cores: number
  readonly memoryBytes: number
  readonly availableMemoryBytes: number
  readonly processes: readonly ProcessUse[]
  readonly measurementGaps: readonly string[]
}

export interface ProcessUse {
  readonly process: string
  readonly group: ProcessGroup
  readonly cgroup: string
  readonly count: number
  readonly cores: number
  readonly memoryBytes: number
}

/** Measures this host once, without a server: the usage of each group of processes. */
export async function scanOnce(options: ScanOptions, signal?: AbortSignal): Promise<HostScan> {
  const sampler = new Sampler({ ...options, intervalSeconds: options.seconds, pssSeconds: 0 })
  const asked = findHostFacts(options.facts)
  sampler.measure()
  const startMs = performance.now()
  await sleep(options.seconds * 1000, undefined, signal && { signal })
  const reading = sampler.measure()
  const seconds = (performance.now() - startMs) / 1000
  return {
    vm: options.vm,
    seconds,
    facts: await asked,
    cores: reading.cores,
    memoryBytes: reading.memoryBytes,
    availableMemoryBytes: reading.availableMemoryBytes,
    processes: reading.groups.map((group) => ({
      process: group.process,
      group: group.group,
      cgroup: group.cgroup,
      count: group.processes,
      cores: (group.cpuSeconds - group.lastCpuSeconds) / seconds,
      memoryBytes: group.memoryBytes ?? 0,
    })),
    measurementGaps: measurementGaps(reading),
  }
}
