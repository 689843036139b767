/** The CPU time of a process, which is credited to `owner`. */
export interface CpuConsumer<Owner> {
  readonly owner: Owner
  readonly cgroup: string
  /** CPU seconds since the last measurement. */
  readonly seconds: number
}

interface CpuScan<Owner> {
  readonly live: readonly CpuConsumer<Owner>[]
  /**
   * Processes that ended since the last measurement. Their `seconds` are those of the previous interval, as the likely
   * upper bound for this one.
   */
  readonly vanished: readonly CpuConsumer<Owner>[]
  /** CPU seconds of all tasks of the machine since boot. */
  readonly machineSeconds: number
}

/** Receives the CPU time that is credited. */
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
 *     balance += used by the cgroup - used by its live processes
 *
 * The balance is then credited: first to processes that vanished, as much as they are likely to have used, and the rest to
 * the only owner in the cgroup, or to unseen processes. Counters are not read at the same instant, so a balance varies
 * around zero. Because it is kept from one measurement to the next, these errors do not add up.
 */
export class CpuLedger<Owner> {
  readonly #readSeconds: (cgroup: string) => number | undefined
  readonly #nodes = new Map<string, Node<Owner>>()
  #measurements = 0

  /**
   * `readSeconds` returns the CPU time of a cgroup and its descendants, or undefined if the cgroup is gone or not readable.
   */
  constructor(readSeconds: (cgroup: string) => number | undefined) {
    this.#readSeconds = readSeconds
  }

  record(now: CpuScan<Owner>, credit: Credit<Owner>): void {
    const first = ++this.#measurements === 1
    for (const { cgroup } of now.live) this.#touch(cgroup)
    const nodes = this.#readNodes(now.machineSeconds)
    for (const { owner, cgroup, seconds } of now.live) {
      const node = this.#nearest(cgroup)
      node.spentSeconds += seconds
      node.onlyOwner = node.onlyOwner === undefined || node.onlyOwner === owner ? owner : 'several'
      if (seconds > 0) credit.toOwner(owner, seconds)
    }
    countUse(nodes)
    for (const consumer of now.vanished) this.#nearest(consumer.cgroup).vanished.push(consumer)
    for (const node of nodes) {
      if (!first) settle(node, credit)
      node.lastSeconds = node.readSeconds
    }
  }

  /** Marks the cgroup and all its ancestors as used in this measurement. Adds new ones. */
  #touch(path: string): Node<Owner> {
    const known = this.#nodes.get(path)
    if (known !== undefined && known.lastMeasurement === this.#measurements) return known
    const node = known ?? newNode<Owner>(path)
    if (known === undefined) this.#nodes.set(path, node)
    node.lastMeasurement = this.#measurements
    node.parent = path === '/' ? undefined : this.#touch(path.slice(0, path.lastIndexOf('/')) || '/')
    return node
  }

  /**
   * Reads all cgroups; parents come before children. Forgets those without processes or not readable, as their parents
   * include them.
   */
  #readNodes(machineSeconds: number): Node<Owner>[] {
    this.#touch('/')
    const nodes: Node<Owner>[] = []
    for (const node of this.#nodes.values()) {
      node.readSeconds =
        node.lastMeasurement === this.#measurements ? this.#readSeconds(node.path) : undefined
      if (node.path === '/') node.readSeconds ??= machineSeconds
      if (node.readSeconds === undefined) this.#nodes.delete(node.path)
      else nodes.push(node)
    }
    for (const node of nodes) {
      while (node.parent !== undefined && !this.#nodes.has(node.parent.path)) node.parent = node.parent.parent
      node.usedSeconds = 0
      node.belowSeconds = 0
      node.spentSeconds = 0
      node.onlyOwner = undefined
      node.vanished = []
    }
    return nodes.sort((a, b) => a.path.length - b.path.length)
  }

  #nearest(path: string): Node<Owner> {
    for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const node = this.#nodes.get(at)
      if (node !== undefined) return node
    }
    return this.#nodes.get('/')!
  }
}

interface Node<Owner> {
  readonly path: string
  parent: Node<Owner> | undefined
  lastMeasurement: number
  readSeconds: number | undefined
  lastSeconds: number | undefined
  /** CPU time in this interval: of the cgroup with its descendants, of its children, and of its own live processes. */
  usedSeconds: number
  belowSeconds: number
  spentSeconds: number
  /** Used but not credited yet; negative if more was credited than used. */
  balance: number
  onlyOwner: Owner | 'several' | undefined
  vanished: CpuConsumer<Owner>[]
}

function newNode<Owner>(path: string): Node<Owner> {
  return {
    path,
    parent: undefined,
    lastMeasurement: 0,
    readSeconds: undefined,
    lastSeconds: undefined,
    usedSeconds: 0,
    belowSeconds: 0,
    spentSeconds: 0,
    balance: 0,
    onlyOwner: undefined,
    vanished: [],
  }
}

/** Computes the CPU time of each cgroup in this interval. Parents come first in the list. */
function countUse<Owner>(nodes: readonly Node<Owner>[]): void {
  for (const node of nodes.toReversed()) {
    const { readSeconds = 0, lastSeconds } = node
    if (lastSeconds === undefined) node.usedSeconds = node.spentSeconds + node.belowSeconds
    else node.usedSeconds = readSeconds >= lastSeconds ? readSeconds - lastSeconds : readSeconds
    if (node.parent !== undefined) node.parent.belowSeconds += node.usedSeconds
  }
  // A cgroup that is new or was empty used at least as much as its processes did. It gets more only if its parent used more
  // than is assigned.
  for (const node of nodes) {
    const { parent } = node
    if (node.lastSeconds !== undefined || parent === undefined) continue
    const left = parent.usedSeconds - parent.belowSeconds - parent.spentSeconds
    const more = Math.max(0, Math.min((node.readSeconds ?? 0) - node.usedSeconds, left))
    node.usedSeconds += more
    parent.belowSeconds += more
  }
}

function settle<Owner>(node: Node<Owner>, credit: Credit<Owner>): void {
  node.balance += node.usedSeconds - node.belowSeconds - node.spentSeconds
  if (node.balance < leastSeconds) return
  const likely = node.vanished.reduce((sum, { seconds }) => sum + seconds, 0)
  const share = likely === 0 ? 0 : Math.min(1, node.balance / likely)
  for (const { owner, seconds } of node.vanished) if (seconds > 0) credit.toOwner(owner, seconds * share)
  const rest = node.balance - likely * share
  node.balance = 0
  if (rest <= 0) return
  if (node.onlyOwner !== undefined && node.onlyOwner !== 'several') credit.toOwner(node.onlyOwner, rest)
  else credit.toUnseen(node.path, rest)
}

/** A few clock ticks. A smaller balance is only due to counters being read at different instants. */
const leastSeconds = 0.05
