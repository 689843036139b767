import { hourSeconds } from './digest.ts'

/** The increase of a counter between two samples; a lower value means that it restarted at 0. */
export const increase = (before: number, now: number): number => (now >= before ? now - before : now)

/**
 * Shares a whole amount among the hours of an interval by their whole seconds of it. Both add up exactly, here and over
 * adjoining intervals; a part without seconds gets nothing.
 */
export function shareByHour(
  fromMs: number,
  toMs: number,
  amount: number,
  give: (hour: number, part: number, seconds: number) => void,
): void {
  const end = Math.floor(toMs / 1000)
  const all = end - Math.floor(fromMs / 1000)
  let left = all
  let given = 0
  for (let from = end - all; from < end; ) {
    const hour = Math.floor(from / hourSeconds)
    const to = Math.min(end, (hour + 1) * hourSeconds)
    left -= to - from
    const upTo = left === 0 ? amount : Math.floor(amount * ((all - left) / all))
    give(hour, upTo - given, to - from)
    given = upTo
    from = to
  }
}
