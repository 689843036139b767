import type { HostFacts } from '../../providers/metadata/metadata-service.ts'
import type { Group } from '../accounting/groups.ts'
import type { HostReading } from '../sampler.ts'
import type { SampleTime } from '../timeline.ts'
import { encodeLabels, MessageBuffer } from './message.ts'

/**
 * Writes one measurement as a remote write request. If a counter was not sent with the previous measurement, its value at
 * that time is sent first. So the CPU time of a new process since then is counted, and none of it is spread over the time
 * without samples.
 */
export class SeriesWriter {
  /** The machine and the observer. */
  readonly #common: Readonly<Record<'vm' | 'job' | 'replica', string>>
  readonly #message = new MessageBuffer()
  readonly #labels = new WeakMap<Group, { cpu: Buffer; memory: Buffer }>()

  constructor(vm: string, job: string, replica = '') {
    this.#common = { vm, job, replica }
  }

  write(reading: HostReading, moment: SampleTime, facts: HostFacts): Uint8Array {
    const message = this.#message
    const { timeMs, lastMs } = moment
    message.clear()
    for (const group of reading.groups) {
      const labels = this.#labelsOf(group)
      const wasSent =
        group.previousMeasurement === reading.measurement - 1 &&
        reading.measurement > 1 &&
        moment.jumpMs === 0
      if (wasSent || lastMs === undefined) message.series(labels.cpu, timeMs, group.cpuSeconds)
      else message.series(labels.cpu, timeMs, group.cpuSeconds, lastMs, group.lastCpuSeconds)
      if (group.memoryBytes !== undefined) message.series(labels.memory, timeMs, group.memoryBytes)
    }
    const machine = (name: string, labels = {}) =>
      encodeLabels({ __name__: `cheapside_machine_${name}`, ...labels, ...this.#common })
    message.series(machine('info', infoLabels(facts)), timeMs, 1)
    message.series(machine('cpu_cores'), timeMs, reading.cores)
    message.series(machine('memory_bytes'), timeMs, reading.memoryBytes)
    return message.compressed()
  }

  #labelsOf(group: Group): { cpu: Buffer; memory: Buffer } {
    const known = this.#labels.get(group)
    if (known !== undefined) return known
    const { process, cgroup, group: kind } = group
    const named = (__name__: string) =>
      encodeLabels({ __name__, cgroup, group: kind, process, ...this.#common })
    const labels = {
      cpu: named('cheapside_process_cpu_seconds_total'),
      memory: named('cheapside_process_memory_bytes'),
    }
    this.#labels.set(group, labels)
    return labels
  }
}

function infoLabels(facts: HostFacts): Record<string, string> {
  return {
    architecture: facts.architecture ?? '',
    capacity_type: facts.usageType ?? '',
    instance_type: facts.instanceType ?? '',
    operating_system: 'Linux',
    os_image: facts.osImage ?? '',
    provider: facts.provider ?? '',
    region: facts.region ?? '',
    zone: facts.zone ?? '',
  }
}
