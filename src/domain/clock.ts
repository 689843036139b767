/** Milliseconds since 1970, for deciding what has expired. */
export type Clock = () => number

/**
 * A clock that never runs backwards: where the system's is set back, it goes on from where it was,
 * so that an expired key does not come alive again. A jump forward is followed.
 */
export function steadyClock(system: Clock, monotonic: Clock): Clock {
  let offset = system() - monotonic()
  return () => {
    const elapsed = monotonic()
    offset = Math.max(offset, system() - elapsed)
    return Math.floor(offset + elapsed)
  }
}
