import { expect, test } from 'vitest'
import { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import { DigestCursor } from '../digest/cursor.ts'
import { type DistributionSink, TotalBuilder } from './distribution-sink.ts'
import { digestBytes, firstHour } from './pods.case.ts'
import { SpanBuilder } from './span-builder.ts'

const latestHour = firstHour + 72
const [idle, busy] = [
  { hours: 72, cores: 0.1, gib: 0.5 },
  { hours: 72, cores: (hour: number) => 1 + (hour % 5), gib: 2 },
].map((pod) => digestBytes(pod)) as [Uint8Array, Uint8Array]

/** Returns a function that takes one hour with each call. */
function hourTaker(bytes: Uint8Array, builder: DistributionSink): () => boolean {
  const cursor = new DigestCursor(new ByteReader(bytes))
  const cpu = {
    addFrom(reader: ByteReader) {
      builder.open(cursor.hour)
      builder.takeCpu(reader, false)
    },
  }
  return () => cursor.next(cpu, { addFrom: (reader) => builder.takeMemory(reader) })
}

const takeAll = (...takers: (() => boolean)[]) => {
  while (takers.map((take) => take()).includes(true));
}

test.each([
  ['spans', () => new SpanBuilder(latestHour)],
  ['totals', () => new TotalBuilder()],
])('%s of two containers built side by side equal those built separately', (_, newBuilder) => {
  const plain = (builder: SpanBuilder | TotalBuilder) => {
    const built = builder.finish()
    const { spans = [] } = built as Partial<ReturnType<SpanBuilder['finish']>>
    return {
      cpu: built.cpu.parts(),
      memory: built.memory.parts(),
      spans: spans.map((span) => ({ ...span, cpu: span.cpu.parts(), memory: span.memory.parts() })),
    }
  }
  const alone = (bytes: Uint8Array) => {
    const builder = newBuilder()
    takeAll(hourTaker(bytes, builder))
    return plain(builder)
  }
  const [ofIdle, ofBusy] = [alone(idle), alone(busy)]
  const [first, second] = [newBuilder(), newBuilder()]
  takeAll(hourTaker(idle, first), hourTaker(busy, second))
  expect(plain(first)).toEqual(ofIdle)
  expect(plain(second)).toEqual(ofBusy)
})
