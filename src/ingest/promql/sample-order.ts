import type { SeriesMeaning } from '../../domain/usage-series.ts'
import type { RawSeries } from './raw-samples.ts'

/** A queried series whose meaning is known. */
export interface QueriedSeries {
  readonly raw: RawSeries
  readonly meaning: SeriesMeaning
  /** The same value for all series of a container or process, and a different one for each other series. */
  readonly group: unknown
}

/** Consecutive samples of one series, to be written before those of the next run. */
interface SampleRun<Member> {
  readonly member: Member
  readonly from: number
  readonly to: number
}

/**
 * Yields samples in the order in which a scraper would have sent them: series of the same subject (a container before and
 * after its restart, user and system time) in order of time, and owners before what they own, so that a pod's workload is
 * known when its containers are described.
 */
export function* runsInOrder<Member extends QueriedSeries>(
  members: Iterable<Member>,
): Generator<SampleRun<Member>> {
  const groups = Map.groupBy(members, ({ group }) => group)
  for (const group of [...groups.values()].sort((a, b) => turn(a[0]!) - turn(b[0]!))) {
    const [only] = group
    if (group.length === 1) yield { member: only!, from: 0, to: only!.raw.timesMs.length }
    else yield* runsInTimeOrder(group)
  }
}

/** The end of a pod comes after the last samples of its containers. */
const turn = ({ meaning }: QueriedSeries): number =>
  meaning.fact === 'pod' && meaning.isEnd ? 3 : ['entity', 'pod', meaning.fact].indexOf(meaning.fact)

/** If two series have a sample at the same time, the one that began later comes first, because it replaces the other. */
function* runsInTimeOrder<Member extends QueriedSeries>(
  members: readonly Member[],
): Generator<SampleRun<Member>> {
  const newestFirst = members.toSorted((a, b) => b.raw.timesMs[0]! - a.raw.timesMs[0]!)
  const all = newestFirst.flatMap((member) =>
    Array.from(member.raw.timesMs, (timeMs, index) => ({ member, index, timeMs })),
  )
  all.sort((a, b) => a.timeMs - b.timeMs)
  for (let start = 0; start < all.length; ) {
    const { member, index } = all[start]!
    let end = start + 1
    while (end < all.length && all[end]!.member === member) end++
    yield { member, from: index, to: index + end - start }
    start = end
  }
}
