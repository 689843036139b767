import { hourSeconds } from '../digest/digest.ts'

/** Longer without a sample, and a container was away meanwhile. */
const silenceSeconds = 900
/** For so long after it began a container still does what it does only then. */
const startSeconds = 600

/** Whether a container that started at this second began in the hour, or so shortly before it that its start is still visible. */
export const isStart = (startedAt: number, hour: number): boolean =>
  startedAt >= hour * hourSeconds - startSeconds && startedAt < (hour + 1) * hourSeconds

/** If only memory is reported: the time from the first sample to the last, plus one interval. */
export const secondsRun = (
  samples: number,
  { first, last }: { readonly first: number; readonly last: number },
): number => (samples < 2 ? 0 : Math.min(hourSeconds, ((last - first) * samples) / (samples - 1)))

/** Seconds since 1970, or since a day began. */
export interface Lifetime {
  readonly from: number
  readonly to: number
}

/** Stretches in which a container was seen without a long silence. They may be added as parts, in order of time. */
export class Lifetimes {
  readonly all: { from: number; to: number }[] = []
  #latest: { from: number; to: number } | undefined

  add(from: number, to: number): void {
    const latest = this.#latest
    if (latest !== undefined && from - latest.to <= silenceSeconds) {
      if (to > latest.to) latest.to = to
      return
    }
    this.#latest = { from, to }
    this.all.push(this.#latest)
  }
}

const intermediate = /^(ReplicaSet|Job)\//

/** The owner of a ReplicaSet is not always reported; once known, it stays. */
export const isOwnerKept = (known: string | undefined, told: string): boolean =>
  known !== undefined && known !== '' && !intermediate.test(known) && intermediate.test(told)
