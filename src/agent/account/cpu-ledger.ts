/** A process as far as CPU time is concerned; `owner` is whom its time is credited to. */
export interface CpuConsumer<Owner> {
  readonly owner: Owner
  readonly cgroup: string
  /** CPU seconds since the last measurement. */
  readonly seconds: number
}

interface CpuScan<Owner> {
  readonly live: readonly CpuConsumer<Owner>[]
  /** Processes that ended since the last measurement; `seconds` is what each used in the previous interval, the likely upper bound for this one. */
  readonly vanished: readonly CpuConsumer<Owner>[]
  /** CPU seconds of all tasks of the machine since boot. */
  readonly machineSeconds: number
}

/** To whom CPU time is credited. */
interface Credit<Owner> {
  toOwner(owner: Owner, seconds: number): void
  /** Processes that started and ended between two measurements, or are hidden from this user. */
  toUnseen(cgroup: string, seconds: number): void
}

/**
 * Credits all CPU time of a machine. Processes that end between two looks take their counters with them, but their cgroups
 * counted them: what a cgroup used beyond its live processes is theirs. Per cgroup, without those below it:
 *
 *     balance += used by the cgroup - used by its live processes
 *
 * and what the balance then holds is credited: to processes that vanished, as much as they are likely to have used; the
 * rest to the cgroup's only owner, or to the unseen. Readings are not taken at one instant, so a balance swings around
 * zero; since it is kept, that never adds up to more.
 */
export class CpuLedger<Owner> {
  readonly #readSeconds: (cgroup: string) => number | undefined
  readonly #nodes = new Map<string, Node<Owner>>()
  #looks = 0

  /** Reads the CPU time of a cgroup and all below; undefined where it is gone or not to be read. */
  constructor(readSeconds: (cgroup: string) => number | undefined) {
    this.#readSeconds = readSeconds
  }

  look(now: CpuScan<Owner>, credit: Credit<Owner>): void {
    const first = ++this.#looks === 1
    for (const { cgroup } of now.live) this.#touch(cgroup)
    const nodes = this.#readNodes(now.machineSeconds)
    for (const { owner, cgroup, seconds } of now.live) {
      const node = this.#nearest(cgroup)
      node.spentSeconds += seconds
      node.onlyOwner = node.onlyOwner === undefined || node.onlyOwner === owner ? owner : 'several'
      if (seconds > 0) credit.toOwner(owner, seconds)
    }
    countUse(nodes)
    for (const spender of now.vanished) this.#nearest(spender.cgroup).vanished.push(spender)
    for (const node of nodes) {
      if (!first) settle(node, credit)
      node.lastSeconds = node.readSeconds
    }
  }

  /** The cgroup and all above it, the root first. */
  #touch(path: string): Node<Owner> {
    const known = this.#nodes.get(path)
    if (known !== undefined && known.look === this.#looks) return known
    const node = known ?? newNode<Owner>(path)
    if (known === undefined) this.#nodes.set(path, node)
    node.look = this.#looks
    node.parent = path === '/' ? undefined : this.#touch(path.slice(0, path.lastIndexOf('/')) || '/')
    return node
  }

  /** Forgets cgroups without processes, and those that cannot be read: their parents answer for them. The shallow come first. */
  #readNodes(machineSeconds: number): Node<Owner>[] {
    this.#touch('/')
    const nodes: Node<Owner>[] = []
    for (const node of this.#nodes.values()) {
      node.readSeconds = node.look === this.#looks ? this.#readSeconds(node.path) : undefined
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
  look: number
  readSeconds: number | undefined
  lastSeconds: number | undefined
  /** In this interval: with all below; by cgroups right below; by live processes of its own. */
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
    look: 0,
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

/** What each used in this interval, parents first in the list. */
function countUse<Owner>(nodes: readonly Node<Owner>[]): void {
  for (const node of nodes.toReversed()) {
    const { readSeconds = 0, lastSeconds } = node
    if (lastSeconds === undefined) node.usedSeconds = node.spentSeconds + node.belowSeconds
    else node.usedSeconds = readSeconds >= lastSeconds ? readSeconds - lastSeconds : readSeconds
    if (node.parent !== undefined) node.parent.belowSeconds += node.usedSeconds
  }
  // One that is new, or has its first process, used at least what its processes did, and more only if its parent has it.
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

/** A few ticks: less is the difference between two instants of reading. */
const leastSeconds = 0.05
