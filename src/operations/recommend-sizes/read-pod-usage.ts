import type { ContainerSubject } from '../../domain/subject.ts'
import type { Distribution } from '../../usage/distribution.ts'
import type { HourlyUse } from './hourly-use.ts'
import type { PodUsage, Sizes } from './pod-usage.ts'

/** A class, as ReadSpan in span-reading.ts is and for the same reason. */
export class ReadPod implements PodUsage {
  readonly subject: ContainerSubject
  readonly workload: string
  readonly spans: PodUsage['spans']
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly use: HourlyUse
  readonly lives: PodUsage['lives']
  last: Sizes = noSizes
  init = false
  restarts = 0
  memoryPeakBytes = 0

  constructor(
    subject: ContainerSubject,
    workload: string,
    { spans, cpu, memory }: Pick<PodUsage, 'spans' | 'cpu' | 'memory'>,
    { use, lives }: Pick<PodUsage, 'use' | 'lives'>,
  ) {
    this.subject = subject
    this.workload = workload
    this.spans = spans
    this.cpu = cpu
    this.memory = memory
    this.use = use
    this.lives = lives
  }
}

const noSizes: Sizes = {
  cpuRequest: undefined,
  cpuLimit: undefined,
  memoryRequest: undefined,
  memoryLimit: undefined,
}
