import type { ByteReader } from '../../domain/byte-reader.ts'
import type { DigestCursor } from '../digest/cursor.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'
import type { CountAndSum, DistributionSink } from './span-builder.ts'

/** Gathers all hours into one sum: much less work than spans, and enough to see what is too small to be judged. */
export class TotalBuilder implements DistributionSink {
  readonly partsStarts = false

  constructor() {
    cpu.clear()
    memory.clear()
  }

  isWhole(): boolean {
    return true
  }

  open(): void {}

  takeCpu(reader: ByteReader): CountAndSum {
    cpu.addFrom(reader)
    return cpu.last
  }

  takeMemory(reader: ByteReader): CountAndSum {
    memory.addFrom(reader)
    return memory.last
  }

  takeDay(cursor: DigestCursor): void {
    cursor.takeDay(cpu, memory)
  }

  count(): void {}

  finish(): { readonly cpu: Distribution; readonly memory: Distribution } {
    return { cpu: cpu.total(), memory: memory.total() }
  }
}

/** Shared, as a reading is finished before the next begins. */
const [cpu, memory] = [new DistributionSum(), new DistributionSum()]
