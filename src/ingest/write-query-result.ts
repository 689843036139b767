import type { RawSeries } from '../collectors/promql/raw-samples.ts'
import type { Series } from '../usage/digest/accumulator.ts'
import type { SampleWriter } from './sample-writer.ts'

/**
 * Writes an answer of a PromQL engine as if it had been pushed. Series of the same subject (a container before and
 * after its restart, user and system time) are written in order of time, as a scraper would have sent them.
 */
export function writeQueryResult(
  writer: SampleWriter,
  answer: readonly RawSeries[],
  cluster: string,
  nowMs: number,
): number {
  const groups = new Map<object, QueriedSeries[]>()
  let samples = 0
  for (const raw of answer) {
    samples += raw.timesMs.length
    const series = writer.seriesOf(raw.labels, cluster)
    if (series === undefined) continue
    const members = groups.get(series.usage ?? raw)
    if (members) members.push({ series, raw })
    else groups.set(series.usage ?? raw, [{ series, raw }])
  }
  const inOrder = [...groups.values()].sort((a, b) => turn(a[0]!) - turn(b[0]!))
  for (const members of inOrder) {
    const [only] = members
    if (members.length === 1) for (let index = 0; index < only!.raw.timesMs.length; index++) put(only!, index)
    else for (const { member, index } of inTimeOrder(members)) put(member, index)
  }
  return samples

  function put({ series, raw }: QueriedSeries, index: number): void {
    writer.accumulator.sample(series, raw.timesMs[index]!, raw.values[index]!, nowMs)
  }
}

/** Owners before what they own, so that a pod's workload is known when its containers are described. */
const turn = ({ series }: QueriedSeries): number => ['entity', 'pod'].indexOf(series.meaning.fact) >>> 0

interface QueriedSeries {
  readonly series: Series
  readonly raw: RawSeries
}

/** If two series have a sample at the same time, the one that began later comes first, because it replaces the other. */
function inTimeOrder(members: readonly QueriedSeries[]): { member: QueriedSeries; index: number }[] {
  const newestFirst = members.toSorted((a, b) => b.raw.timesMs[0]! - a.raw.timesMs[0]!)
  const all = newestFirst.flatMap((member) =>
    Array.from(member.raw.timesMs, (timeMs, index) => ({ member, index, timeMs })),
  )
  return all.sort((a, b) => a.timeMs - b.timeMs)
}
