import type { UsageSpan } from '../../rightsizing/input.ts'
import { gibBytes, microcores } from '../../usage/digest/digest.ts'
import type { StoredSubject } from '../../usage/port.ts'
import type { PodReader } from '../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { type Amount, minAnalysedSize } from './size-process.ts'

type ProcessUsage = NonNullable<ReturnType<PodReader['readTotals']>>

export interface ProcessHistory {
  readonly usage: ProcessUsage
  readonly median: Amount
  /** Usage that was not exceeded for 99% of the time (CPU), or never (memory). */
  readonly high: Amount
  spans(): readonly UsageSpan[]
}

export function readHistory(
  reader: PodReader,
  stored: StoredSubject,
  hours: HourRange,
  latestHour: number,
  isSized: boolean,
): ProcessHistory | undefined {
  const readSpans = () => reader.readPod(noContainer, stored, hours, latestHour)
  // Most processes are too small to be sized from their spans. The spans are read at once only for those that are
  // certainly large enough.
  const withSpans = isSized && reader.leastPeakGib(stored) > minAnalysedSize.gib ? readSpans() : undefined
  const usage = withSpans ?? reader.readTotals(stored, hours)
  if (usage === undefined) return undefined
  const { cpu, memory } = usage
  return {
    usage,
    median: amountOf(cpu.quantile(0.5), memory.quantile(0.5)),
    high: amountOf(cpu.quantile(0.99), memory.max),
    spans: () => (withSpans ?? readSpans()!).spans,
  }
}

const amountOf = (micro: number, bytes: number): Amount => ({
  cores: (micro || 0) / microcores,
  gib: (bytes || 0) / gibBytes,
})

/** The digests of a process are read like those of a container. */
const noContainer = { kind: 'container', cluster: '', namespace: '', pod: '', container: '' } as const
