import type { RawSeries } from '../collectors/promql/raw-samples.ts'
import { type QueriedSeries, runsInOrder } from '../collectors/promql/sample-order.ts'
import type { Series } from '../usage/digest/accumulator.ts'
import type { SampleWriter } from './sample-writer.ts'

/** Writes an answer of a PromQL engine as if it had been pushed. */
export function writeQueryResult(
  writer: SampleWriter,
  answer: readonly RawSeries[],
  cluster: string,
  nowMs: number,
): number {
  const { accumulator } = writer
  for (const { member, from, to } of runsInOrder(registered(writer, answer, cluster))) {
    const { series, raw } = member
    for (let index = from; index < to; index++)
      accumulator.sample(series, raw.timesMs[index]!, raw.values[index]!, nowMs)
  }
  return answer.reduce((samples, { timesMs }) => samples + timesMs.length, 0)
}

interface RegisteredSeries extends QueriedSeries {
  readonly series: Series
}

function* registered(
  writer: SampleWriter,
  answer: readonly RawSeries[],
  cluster: string,
): Generator<RegisteredSeries> {
  for (const raw of answer) {
    const series = writer.seriesOf(raw.labels, cluster)
    if (series !== undefined) yield { series, raw, meaning: series.meaning, group: series.usage ?? raw }
  }
}
