/** Why a sample was taken or left; each is counted. */
export const sampleOutcomes = [
  'accepted',
  'duplicate',
  'out_of_order',
  'too_old',
  'in_the_future',
  'not_finite',
  'negative',
  'absurd',
  'stale_marker',
  'other_source',
  'superseded',
  'too_close',
] as const
export type SampleOutcome = (typeof sampleOutcomes)[number]

/**
 * One measure of one subject. One series at a time holds it; the time of the last sample taken is the watermark at or below
 * which nothing is taken again, so that a batch sent twice counts once.
 */
export interface Channel {
  /** The holder's instance and source; see SeriesMeaning. */
  instance: number
  source: number
  rank: number
  /** 0: nothing taken yet. */
  lastMs: number
  lastValue: number
  /** False until a holder's first sample gave a counter something to differ from. */
  based: boolean
  /** Instances of this source that a newer one took over from, latest last. */
  retired: number[]
}

interface Claimant {
  readonly instance: number
  readonly source: number
  readonly rank: number
}

export function newChannel(by: Claimant): Channel {
  const { instance, source, rank } = by
  return { instance, source, rank, lastMs: 0, lastValue: 0, based: false, retired: [] }
}

/** Another may take over from a holder that has been silent for longer. */
const takeoverAfterMs = 5 * 60_000

/**
 * Whether the claimant's sample is to be taken. Of one source the newest instance holds, for a restarted container comes
 * with new labels while the old series may linger. Of several sources the best ranked holds, then the first.
 */
export function claim(
  channel: Channel,
  by: Claimant,
  atMs: number,
): 'accepted' | 'other_source' | 'superseded' {
  if (channel.instance === by.instance && channel.source === by.source) return 'accepted'
  const silent = atMs - channel.lastMs > takeoverAfterMs
  const sameSource = channel.source === by.source
  if (!silent) {
    if (sameSource && channel.retired.includes(by.instance)) return 'superseded'
    if (!sameSource && by.rank <= channel.rank) return 'other_source'
    if (atMs <= channel.lastMs) return sameSource ? 'superseded' : 'other_source'
  }
  channel.retired = sameSource ? [...channel.retired, channel.instance].slice(-retiredKept) : []
  channel.instance = by.instance
  channel.source = by.source
  channel.rank = by.rank
  channel.based = false
  return 'accepted'
}

const retiredKept = 4
