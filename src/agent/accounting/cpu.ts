/** The CPU time of a process, which is credited to `owner`. */
export interface CpuConsumer<Owner> {
  readonly owner: Owner
  readonly cgroup: string
  /** CPU seconds since the last measurement. */
  readonly seconds: number
}

interface CpuScan<Owner> {
  readonly live: readonly CpuConsumer<Owner>[]
  /** Ended since the last measurement, with the seconds of the previous interval as the likely upper bound. */
  readonly vanished: readonly CpuConsumer<Owner>[]
  /** CPU seconds of all tasks of the machine since boot. */
  readonly machineSeconds: number
}

interface Credit<Owner> {
  toOwner(owner: Owner, seconds: number): void
  /** Credits processes that started and ended between two measurements, or are hidden from this user. */
  toUnseen(cgroup: string, seconds: number): void
}

/**
 * Credits all CPU time of a machine. The counters of a process are gone when it has ended, but its cgroup has counted it:
 * the CPU time of a cgroup that its live processes did not use belongs to processes that have ended. Per cgroup, without
 * its descendants:
 *
 *     uncredited += used by the cgroup - used by its live processes
 *
 * This time is then credited: first to processes that vanished, as much as they are likely to have used, and the rest to
 * the only owner in the cgroup, or to unseen processes. Counters are not read at the same instant, so it varies around
 * zero. Because it is kept from one measurement to the next, these errors do not add up.
 */
export class CpuAccounting<Owner> {
  readonly #readSeconds: (cgroup: string) => number | undefined
  readonly #cgroups = new Map<string, CgroupUsage<Owner>>()
  #measurements = 0

  /** `readSeconds`: of a cgroup and its descendants; undefined if it is gone or not readable. */
  constructor(readSeconds: (cgroup: string) => number | undefined) {
    this.#readSeconds = readSeconds
  }

  record(scan: CpuScan<Owner>, credit: Credit<Owner>): void {
    const first = ++this.#measurements === 1
    for (const { cgroup } of scan.live) this.#touch(cgroup)
    const cgroups = this.#readCgroups(scan.machineSeconds)
    for (const { owner, cgroup, seconds } of scan.live) {
      const usage = this.#nearest(cgroup)
      usage.liveSeconds += seconds
      usage.onlyOwner = usage.onlyOwner === undefined || usage.onlyOwner === owner ? owner : 'several'
      if (seconds > 0) credit.toOwner(owner, seconds)
    }
    countUse(cgroups)
    for (const consumer of scan.vanished) this.#nearest(consumer.cgroup).vanished.push(consumer)
    for (const usage of cgroups) {
      if (!first) creditRest(usage, credit)
      usage.lastSeconds = usage.readSeconds
    }
  }

  /** Marks the cgroup and all its ancestors as used in this measurement. Adds new ones. */
  #touch(path: string): CgroupUsage<Owner> {
    const known = this.#cgroups.get(path)
    if (known !== undefined && known.lastMeasurement === this.#measurements) return known
    const usage = known ?? newUsage<Owner>(path)
    if (known === undefined) this.#cgroups.set(path, usage)
    usage.lastMeasurement = this.#measurements
    usage.parent = path === '/' ? undefined : this.#touch(path.slice(0, path.lastIndexOf('/')) || '/')
    return usage
  }

  /** Parents come before children. Forgets those without processes or not readable, as their parents include them. */
  #readCgroups(machineSeconds: number): CgroupUsage<Owner>[] {
    this.#touch('/')
    const cgroups: CgroupUsage<Owner>[] = []
    for (const usage of this.#cgroups.values()) {
      usage.readSeconds =
        usage.lastMeasurement === this.#measurements ? this.#readSeconds(usage.path) : undefined
      if (usage.path === '/') usage.readSeconds ??= machineSeconds
      if (usage.readSeconds === undefined) this.#cgroups.delete(usage.path)
      else cgroups.push(usage)
    }
    for (const usage of cgroups) {
      while (usage.parent !== undefined && !this.#cgroups.has(usage.parent.path))
        usage.parent = usage.parent.parent
      usage.usedSeconds = 0
      usage.belowSeconds = 0
      usage.liveSeconds = 0
      usage.onlyOwner = undefined
      usage.vanished = []
    }
    return cgroups.sort((a, b) => a.path.length - b.path.length)
  }

  #nearest(path: string): CgroupUsage<Owner> {
    for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const usage = this.#cgroups.get(at)
      if (usage !== undefined) return usage
    }
    return this.#cgroups.get('/')!
  }
}

/** CPU time that a cgroup has counted. */
interface CgroupUsage<Owner> {
  readonly path: string
  parent: CgroupUsage<Owner> | undefined
  lastMeasurement: number
  readSeconds: number | undefined
  lastSeconds: number | undefined
  /** CPU time in this interval: of the cgroup with its descendants, of its children, and of its own live processes. */
  usedSeconds: number
  belowSeconds: number
  liveSeconds: number
  /** Used but not credited yet; negative if more was credited than used. */
  uncreditedSeconds: number
  onlyOwner: Owner | 'several' | undefined
  vanished: CpuConsumer<Owner>[]
}

function newUsage<Owner>(path: string): CgroupUsage<Owner> {
  return {
    path,
    parent: undefined,
    lastMeasurement: 0,
    readSeconds: undefined,
    lastSeconds: undefined,
    usedSeconds: 0,
    belowSeconds: 0,
    liveSeconds: 0,
    uncreditedSeconds: 0,
    onlyOwner: undefined,
    vanished: [],
  }
}

/** Computes the CPU time of each cgroup in this interval. Parents come first in the list. */
function countUse<Owner>(cgroups: readonly CgroupUsage<Owner>[]): void {
  for (const usage of cgroups.toReversed()) {
    const { readSeconds = 0, lastSeconds } = usage
    if (lastSeconds === undefined) usage.usedSeconds = usage.liveSeconds + usage.belowSeconds
    else usage.usedSeconds = readSeconds >= lastSeconds ? readSeconds - lastSeconds : readSeconds
    if (usage.parent !== undefined) usage.parent.belowSeconds += usage.usedSeconds
  }
  // A cgroup that is new or was empty used at least as much as its processes did. It gets more only if its parent used more
  // than is assigned.
  for (const usage of cgroups) {
    const { parent } = usage
    if (usage.lastSeconds !== undefined || parent === undefined) continue
    const left = parent.usedSeconds - parent.belowSeconds - parent.liveSeconds
    const more = Math.max(0, Math.min((usage.readSeconds ?? 0) - usage.usedSeconds, left))
    usage.usedSeconds += more
    parent.belowSeconds += more
  }
}

function creditRest<Owner>(usage: CgroupUsage<Owner>, credit: Credit<Owner>): void {
  usage.uncreditedSeconds += usage.usedSeconds - usage.belowSeconds - usage.liveSeconds
  if (usage.uncreditedSeconds < minSeconds) return
  const likely = usage.vanished.reduce((sum, { seconds }) => sum + seconds, 0)
  const share = likely === 0 ? 0 : Math.min(1, usage.uncreditedSeconds / likely)
  for (const { owner, seconds } of usage.vanished) if (seconds > 0) credit.toOwner(owner, seconds * share)
  const rest = usage.uncreditedSeconds - likely * share
  usage.uncreditedSeconds = 0
  if (rest <= 0) return
  if (usage.onlyOwner !== undefined && usage.onlyOwner !== 'several') credit.toOwner(usage.onlyOwner, rest)
  else credit.toUnseen(usage.path, rest)
}

/** A few clock ticks. A smaller difference is only due to counters being read at different instants. */
const minSeconds = 0.05
